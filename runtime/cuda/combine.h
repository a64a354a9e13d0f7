#pragma once

#include "runtime/cuda/process.h"

namespace runtime::cuda {

/// Launches to = a * to + b * from for all elements of a store, as `tel_combine` describes. The device's
/// context must be the thread's. Returns a status.
int32_t combine(const Calls& calls, const Loaded& loaded, const Store& store, Address to, double a,
                Address from, double b, Stream stream);

}  // namespace runtime::cuda
