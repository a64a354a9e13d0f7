#pragma once

#include "runtime/abi.h"

namespace runtime {

/// A function that makes one tensor, and the memory with which it does.
struct TensorFunction {
  tel_compute compute;
  const void* argument;  ///< its only argument; null: it has none
  void* result;
  int64_t slot_count;
  const Slot* slots;  ///< their sizes are constant
};

/// Runs the function on the calling thread, with a workspace that it allocates. Returns false if there is no
/// memory for that.
bool compute_tensor(const TensorFunction& function);

}  // namespace runtime
