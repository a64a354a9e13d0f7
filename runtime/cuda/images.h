#pragma once

#include "runtime/cuda/process.h"

namespace runtime::cuda {

/// The images of `code` for a device of that architecture, one after the other: machine code before PTX, the
/// highest architecture first. The one behind `last`, which is null at first; null where there is no more.
const Image* next_image(const DeviceCode& code, int32_t architecture, const Image* last);

/// `sm_90a`, `PTX for sm_80`.
void write_image(Text& text, const Image& image);

/// Returns how many parts the image with the most parts has.
int64_t most_parts(const DeviceCode& code);

/// Loads all parts of the first image of `loaded.code` that the driver takes. Where it takes none, no module
/// is loaded, with TEL_OK.
int32_t load_modules(const Calls& calls, const Device& device, Loaded& loaded);

/// Unloads what was loaded, whatever the driver says to it.
void unload_modules(const Driver& driver, Loaded& loaded);

}  // namespace runtime::cuda
