#pragma once

#include <set>
#include <string>

#include "codegen/target/gpu/image.h"

namespace codegen::target::nvptx {

/// Why the bytes, which may be anything, are not machine code for the architecture that has all these
/// kernels; empty where they are.
std::string what_is_wrong(const std::string& cubin, const target::gpu::Architecture& architecture,
                          const std::set<std::string>& kernels);

}  // namespace codegen::target::nvptx
