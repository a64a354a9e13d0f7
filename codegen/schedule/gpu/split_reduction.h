#pragma once

#include "codegen/schedule/gpu/lowering.h"

namespace codegen::schedule::gpu {

/// A two-stage reduction, so that more threads have work. `partial_stage` reduces each chunk of the reduced
/// points, in order, to one state in buffers of the workspace; `final_stage` reduces these states in order
/// and computes the stage's results.
struct SplitReduction {
  kernel::Stage partial_stage, final_stage;
  /// One for each component of the state; the caller allocates them around both stages.
  std::vector<BufferId> states;
};

/// Returns the number of points of a chunk if a stage outside of all axes becomes a two-stage reduction, or
/// nothing if a single stage has enough threads or the reduction must not be split. The answer depends on
/// constant extents alone.
std::optional<std::int64_t> choose_chunk(const kernel::Stage& stage);

/// Returns whether the stage is known to reduce more points than one block does well, so that the row is
/// split whatever its batch.
bool is_long_row(const kernel::Stage& stage, const std::optional<DynamicRowLength>& row);
/// Returns the number of points of a long row's chunk: 8192, or 512 if one thread must reduce it in order.
std::int64_t long_row_chunk(const kernel::Stage& stage);

/// Returns the two stages, with chunks of that many points, and adds the buffers to the schedule. `next_axis`
/// is the first free id of an axis.
SplitReduction split_reduction(Lowering& lowering, const kernel::Stage& stage, std::int64_t chunk,
                               kernel::AxisId& next_axis);

/// Returns a stage that reduces existing states: those at `states`, one access for each component, for each
/// point of the reduced axis `part`.
kernel::Stage reduce_partials(const kernel::Stage& stage, const kernel::Axis& part,
                              const std::vector<Access>& states);

/// The number of points from which on a stage outside of all axes has enough threads.
inline constexpr std::int64_t min_parallel_points = 1 << 15;

}  // namespace codegen::schedule::gpu
