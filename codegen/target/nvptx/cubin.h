#pragma once

#include <set>
#include <string>

#include "codegen/target/gpu/image.h"

namespace codegen::target::nvptx {

/// Returns why the bytes, which may be any bytes, are not machine code for the architecture that contains all
/// of `kernels`, or an empty text if they are.
std::string what_is_wrong(const std::string& cubin, const target::gpu::Architecture& architecture,
                          const std::set<std::string>& kernels);

}  // namespace codegen::target::nvptx
