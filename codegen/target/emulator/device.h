#pragma once

#include "codegen/target/gpu/device.h"

namespace codegen::target::emulator {

/// The emulator, which runs the kernels of the most capable class on the processor: an object gets them as
/// functions of the host.
extern const gpu::Device device;
inline constexpr const char* name = "emulator";

}  // namespace codegen::target::emulator
