#pragma once

#include "runtime/cuda/process.h"

namespace runtime::cuda {

/// The image of `code` for a device of that architecture: machine code before PTX, the highest architecture
/// first; null where none runs there.
const Image* best_image(const DeviceCode& code, int32_t architecture);

/// The first program that the device has an image for; null where there is none.
const DeviceProgram* best_program(const Devices& devices, int32_t architecture);

/// The program of the device, or null.
const Ready* find_ready(const Device& device, const DeviceProgram& program);

/// Loads code and literals, each once; the device's context is the thread's, and the stream is waited for.
/// TEL_DEVICE where the object has no code for the device, or a kernel needs more than it has.
int32_t make_ready(const Calls& calls, Device& device, const Devices& devices, Stream stream,
                   const Ready*& ready);

/// Gives code and literals back, whatever the driver says to it.
void unload_code(const Driver& driver, Device& device);

}  // namespace runtime::cuda
