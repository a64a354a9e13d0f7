#pragma once

#include "runtime/cuda/process.h"

namespace runtime::cuda {

/// The first program that the device has an image for, those left out whose images the driver has refused;
/// null where there is none.
const DeviceProgram* best_program(const Devices& devices, const Device& device);

/// Returns the program that calls on this device run if it is loaded already, else null.
const Ready* find_ready(const Device& device, const Devices& devices);

/// Loads code and literals, each once; the device's context is the thread's, and the stream is waited for. An
/// image that the driver refuses, as one that is older than the Toolkit does, is followed by the next one,
/// and by those of the next program. TEL_DEVICE where the object has no code for the device, the driver takes
/// none of it, or a kernel needs more than the device has.
int32_t make_ready(const Calls& calls, Device& device, const Devices& devices, Stream stream,
                   const Ready*& ready);

/// Gives code and literals back, whatever the driver says to it.
void unload_code(const Driver& driver, Device& device);

}  // namespace runtime::cuda
