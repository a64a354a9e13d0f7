#pragma once

#include "codegen/schedule/gpu/lowering.h"

namespace codegen::schedule::gpu {

/// A two-stage reduction, so that more threads have work: `partial_stage` reduces chunks of the reduced
/// points, in order, to a state each, in buffers of the workspace; `final_stage` reduces these, in order, and
/// does what the stage does with the result.
struct SplitReduction {
  kernel::Stage partial_stage, final_stage;
  std::vector<BufferId> states;  ///< one a state component, to be allocated around both
};

/// Returns how many points a chunk has where a stage outside of all axes is a two-stage reduction; nothing
/// where one stage has threads enough, or may not be split. From constant extents alone.
std::optional<std::int64_t> choose_chunk(const kernel::Stage& stage);

/// Whether the stage is known to reduce more points than a block does well: a row to be split whatever its
/// batch.
bool is_long_row(const kernel::Stage& stage, const std::optional<DynamicRowLength>& row);
/// Returns how many points a chunk of a long row has: 8192, or 512 that a thread takes in order where only
/// that order will do.
std::int64_t long_row_chunk(const kernel::Stage& stage);

/// Makes the two stages, with chunks of so many points. Adds the buffers to the schedule; `next_axis` is the
/// first free id of an axis.
SplitReduction split_reduction(Lowering& lowering, const kernel::Stage& stage, std::int64_t chunk,
                               kernel::AxisId& next_axis);

/// Returns the stage on states that are there: the one at `states` of each point of the reduced axis `part`,
/// one access a state component.
kernel::Stage reduce_partials(const kernel::Stage& stage, const kernel::Axis& part,
                              const std::vector<Access>& states);

/// A stage outside of all axes with so many points or more has threads enough.
inline constexpr std::int64_t min_parallel_points = 1 << 15;

}  // namespace codegen::schedule::gpu
