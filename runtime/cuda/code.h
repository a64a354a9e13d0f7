#pragma once

#include "runtime/cuda/process.h"

namespace runtime::cuda {

/// Returns the first program for which the device has an image that the driver has not refused, or null if
/// there is none.
const DeviceProgram* best_program(const Devices& devices, const Device& device);

/// Returns the program that calls on this device run if it is loaded already, else null.
const Ready* find_ready(const Device& device, const Devices& devices);

/// Loads code and literals, each once. The device's context must be the thread's; it waits for the stream. If
/// the driver refuses an image, as an older driver refuses a newer Toolkit's, it tries the next image and
/// then those of the next program. Returns TEL_DEVICE if the object has no code for the device, the driver
/// accepts none of it, or a kernel needs more than the device has.
int32_t make_ready(const Calls& calls, Device& device, const Devices& devices, Stream stream,
                   const Ready*& ready);

/// Releases code and literals; it ignores failures of the driver.
void unload_code(const Driver& driver, Device& device);

}  // namespace runtime::cuda
