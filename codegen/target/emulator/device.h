#pragma once

#include "codegen/target/gpu/device.h"

namespace codegen::target::emulator {

/// The emulator as a target whose programs are grids. It runs the kernels of the most capable class of GPUs
/// on the processor; the object contains them as functions of the host's module.
extern const gpu::Device device;
inline constexpr const char* name = "emulator";

}  // namespace codegen::target::emulator
