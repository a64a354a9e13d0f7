#pragma once

#include <cstdint>
#include <optional>

#include "codegen/schedule/ir/linear_layout.h"
#include "codegen/schedule/ir/threads.h"

namespace codegen::schedule::gpu {

/// Describes a GPU, as far as the choice of a schedule depends on it. GPUs of one capability get equal
/// schedules.
struct GpuTarget {
  int capability = 75;               ///< the least that has all of this: 80 for sm_80
  bool asynchronous_copies = false;  ///< from global to shared memory, 4, 8 or 16 bytes each
  /// Multiplies f16, bf16 and tf32 and sums in f32, on tensor cores; absent where there are none.
  std::optional<MatrixInstruction> matrix_instruction = {};
  std::int64_t shared_bytes = 0;  ///< of shared memory that a block may have where it asks

  std::int64_t default_shared_bytes = 48 * 1024;  ///< of shared memory that a block has without asking
  std::int64_t local_bytes = 96 * 1024;           ///< shared memory and nearest cache of a multiprocessor
  std::int64_t multiprocessors = 128;             ///< about; so many blocks run at a time
  std::int64_t warp_threads = schedule::warp_threads;
  std::int64_t block_threads = 256;     ///< of a block of a schedule; warps of it share its registers
  std::int64_t access_bytes = 16;       ///< that a thread reads or writes at once, where it can
  std::int64_t bank_bytes = 4;          ///< of a bank of shared memory, of which a warp has one a thread
  std::int64_t min_copy_bytes = 4;      ///< of an asynchronous copy
  std::int64_t row_registers = 96;      ///< of a thread that may hold a row's elements
  std::int64_t max_thread_points = 32;  ///< of a row that one thread takes, a copy of the statements each

  std::int64_t block_warps() const { return block_threads / warp_threads; }
  /// Shared memory for the values that stages hand to each other; the rest is for the states of reductions
  /// and for panels.
  std::int64_t handed_over_bytes() const { return default_shared_bytes / 3 * 2; }
};

/// Returns the target of the GPUs from this compute capability (80 for sm_80) on, up to the next class.
const GpuTarget& target_of(int capability);

}  // namespace codegen::schedule::gpu
