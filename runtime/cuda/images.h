#pragma once

#include "runtime/cuda/process.h"

namespace runtime::cuda {

/// Enumerates the images of `code` for a device of that architecture: machine code before PTX, the highest
/// architecture first. Returns the image after `last`, which is null at first, or null if there are no more.
const Image* next_image(const DeviceCode& code, int32_t architecture, const Image* last);

/// Writes the image's kind and architecture: `sm_90a`, `PTX for sm_80`.
void write_image(Text& text, const Image& image);

/// Returns how many parts the image with the most parts has.
int64_t max_parts(const DeviceCode& code);

/// Loads all parts of the first image of `loaded.code` that the driver accepts. If it accepts none, no module
/// is loaded and the status is TEL_OK.
int32_t load_modules(const Calls& calls, const Device& device, Loaded& loaded);

/// Loads one part of an image. Where the driver refuses it, `refusals` says why, after `before`, and `module`
/// is null. Returns a status.
int32_t load_part(const Calls& calls, const Image& part, Module& module, Text& refusals, const char* before);

/// Unloads the modules; it ignores failures of the driver.
void unload_modules(const Driver& driver, Loaded& loaded);

}  // namespace runtime::cuda
