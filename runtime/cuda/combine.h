#pragma once

#include "runtime/cuda/process.h"

namespace runtime::cuda {

/// Launches to = a * to + b * from for all elements of a store, as tel_combine says; the device's context is
/// the thread's.
int32_t combine(const Calls& calls, const Loaded& loaded, const Store& store, Address to, double a,
                Address from, double b, Stream stream);

}  // namespace runtime::cuda
