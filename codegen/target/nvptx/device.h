#pragma once

#include "codegen/target/gpu/device.h"

namespace codegen::target::nvptx {

/// NVIDIA's GPUs. An object gets PTX and machine code for them.
extern const gpu::Device device;
inline constexpr const char* name = "cuda";

}  // namespace codegen::target::nvptx
