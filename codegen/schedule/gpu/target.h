#pragma once

#include <cstdint>

#include "codegen/schedule/ir/threads.h"

namespace codegen::schedule::gpu {

/// The properties of a GPU on which the choice of a schedule depends. GPUs of one capability get equal
/// schedules.
struct GpuTarget {
  int capability = 75;  ///< the least compute capability that has all of this: 80 for 8.0
  /// Threads can copy 4, 8 or 16 bytes from global to shared memory asynchronously.
  bool asynchronous_copies = false;
  /// There are tensor cores, whose instruction multiplies f16, bf16 and tf32 and sums in f32. The IR fixes
  /// its shape (`matrix_instruction` in schedule/ir/linear_layout.h).
  bool matrix_instructions = false;
  std::int64_t shared_bytes = 0;  ///< the shared memory that a block may request

  /// The shared memory that a block may have without a request.
  std::int64_t default_shared_bytes = 48 * 1024;
  std::int64_t local_bytes = 96 * 1024;                ///< the shared memory and L1 cache of a multiprocessor
  std::int64_t multiprocessors = 128;                  ///< about how many blocks run at the same time
  std::int64_t warp_threads = schedule::warp_threads;  ///< the IR fixes it (schedule/ir/threads.h)
  std::int64_t block_threads = 256;                    ///< the threads of a block
  std::int64_t access_bytes = 16;                      ///< the widest access of one thread
  std::int64_t bank_bytes = 4;      ///< the width of a bank of shared memory, which has `warp_threads` banks
  std::int64_t min_copy_bytes = 4;  ///< the least size of an asynchronous copy
  std::int64_t row_registers = 96;  ///< the registers of a thread that may hold a row's elements
  std::int64_t max_thread_points = 32;  ///< the most points of a row that one thread computes, unrolled

  std::int64_t block_warps() const { return block_threads / warp_threads; }
  /// Returns the shared memory for values that stages pass to each other; the rest is for the states of
  /// reductions and for panels.
  std::int64_t handed_over_bytes() const { return default_shared_bytes / 3 * 2; }
};

/// Returns the target for GPUs of this compute capability (80 for 8.0): the most capable class that is not
/// above it.
const GpuTarget& target_of(int capability);

}  // namespace codegen::schedule::gpu
