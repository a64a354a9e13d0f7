#pragma once

#include "codegen/schedule/common/lowering.h"

namespace codegen::schedule::gpu {

/// A reduction as two stages, so that more threads have work: the first reduces chunks of the reduced points,
/// in order, to a state each, in buffers of the workspace; the second reduces these, in order, and does what
/// the stage does with the result. How long chunks are depends on constant extents alone.
struct SplitReduction {
  kernel::Stage chunks, rest;
  std::vector<BufferId> partials;  ///< one a state component, to be allocated around both
};

/// Nothing where one stage has threads enough, or may not be split. Adds the buffers to the schedule;
/// `next_axis` is the first free id of an axis.
std::optional<SplitReduction> split_reduction(Lowering& lowering, const kernel::Stage& stage,
                                              kernel::AxisId& next_axis);

/// Whether the stage is known to reduce more points than a block does well: a row to be split whatever its
/// batch.
bool is_long_row(const Lowering& lowering, const kernel::Stage& stage);
/// Of a long row: chunks of 8192 points, or of 256 that a thread takes in order where only that order will
/// do.
SplitReduction split_long_row(Lowering& lowering, const kernel::Stage& stage, kernel::AxisId& next_axis);

/// The stage on states that are there: the one at `partials` of each point of the reduced axis `part`, one
/// access a state component.
kernel::Stage reduce_partials(const kernel::Stage& stage, const kernel::Axis& part,
                              const std::vector<Access>& partials);

}  // namespace codegen::schedule::gpu
