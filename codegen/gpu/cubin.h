#pragma once

#include <string>
#include <vector>

#include "codegen/device/image.h"

namespace codegen::gpu {

/// Why the bytes, which may be anything, are not machine code for the architecture that has all these
/// kernels; empty where they are.
std::string what_is_wrong(const std::string& cubin, const device::Architecture& architecture,
                          const std::vector<std::string>& kernels);

}  // namespace codegen::gpu
