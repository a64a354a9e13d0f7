#pragma once

#include <set>

#include "codegen/schedule/ir/schedule.h"

namespace codegen::schedule::gpu {

// clang-format off
/// Gives the panels of pipelines several stages (multistage buffers): the statements that fill a panel run some
/// iterations ahead of those that use it, so that the copies overlap with computation. A pipeline's body first fills
/// panels, shared memory that is allocated outside of it, and then uses them:
///
///   pipeline k in K step s depth d {        for a in d - 1 { if (s a < K) { fill stage a for s a }  commit }
///     fill p for k                          for k in K step s {
///     use p                                   wait d - 2  barrier
///   }                                         if (k + s (d - 1) < K) { fill stage (k / s + d - 1) mod d for that }
///                                             commit
///                                             use stage (k / s) mod d
///                                           }
///
/// One barrier in each iteration is enough: it makes the completed copies visible to all threads, and the stage that is
/// filled next is one that all threads have used before the barrier. Every iteration commits, so that a wait counts
/// iterations also at the end. A pipeline of another form, or of one iteration, becomes a serial loop. Afterwards the
/// schedule has no pipeline.
// clang-format on
void expand_pipelines(Schedule& schedule);

/// Returns the panels that become multistage buffers; none if the pipeline becomes a serial loop. The
/// expansion orders the accesses to them inside of the loop.
std::set<BufferId> panels_of(Loop& pipeline, const Schedule& schedule);

/// Returns the number of elements that one stage of the panel occupies.
Extent stage_elements(const Buffer& panel);

}  // namespace codegen::schedule::gpu
