#pragma once

#include "runtime/cuda/places.h"

namespace runtime::cuda {

/// A call under way on a device whose context is the thread's.
struct Work {
  Call& call;
  const Calls& calls;
  Device& device;
  Stream stream;
  bool capturing;
  const Ready* ready;
  Places places;
  Layout layout;
};

/// Puts into the stream what the device lacks before the first grid: copies, and zeros where derivatives are
/// to be added up.
int32_t copy_in(const Work& work);

/// Writes the words of the block, `block` having room for a multiple of `words_limit`, and launches the
/// grids.
int32_t launch(const Work& work, int64_t* block);

/// Adds derivatives where that is asked for, and copies what lies in the processor's memory back.
int32_t copy_out(const Work& work);

/// Waits for the stream; scalars into the arguments; TEL_INDEX where an index was outside its range.
int32_t finish(const Work& work);

/// `grid` blocks of a kernel.
int32_t launch_kernel(const Calls& calls, const char* name, Function function, int64_t grid, int64_t threads,
                      int64_t shared, Stream stream, void** parameters);

}  // namespace runtime::cuda

extern "C" {

/// `Devices::cuda` and `Devices::cuda_workspace`.
int32_t tel_cuda_call(runtime::Call& call);
int32_t tel_cuda_workspace(const runtime::Call& call, bool every_output, int64_t& size);

}  // extern "C"
