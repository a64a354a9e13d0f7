#pragma once

#include <set>

#include "codegen/schedule/ir/schedule.h"

namespace codegen::schedule::gpu {

// clang-format off
/// Gives the panels of pipelines several stages (multistage buffers): what fills them runs some trips ahead of what
/// uses them, so that the copies of these trips are under way meanwhile. A pipeline's body first fills panels (shared
/// memory allocated outside of it), then uses them:
///
///   pipeline k in K step s depth d {        for a in d - 1 { if (s a < K) { fill stage a for s a }  commit }
///     fill p for k                          for k in K step s {
///     use p                                   wait d - 2  barrier
///   }                                         if (k + s (d - 1) < K) { fill stage (k / s + d - 1) mod d for that }
///                                             commit
///                                             use stage (k / s) mod d
///                                           }
///
/// One barrier a trip is enough: it shows what was waited for to all threads, and the stage that is filled next is the
/// one that all have used before it. Every trip commits, so that a wait counts trips also at the end. A pipeline of
/// another form, or of one trip, becomes a serial loop. After it there is no pipeline.
// clang-format on
void expand_pipelines(Schedule& schedule);

/// Returns the panels that become multistage buffers; none where the pipeline becomes a serial loop. Accesses
/// to them inside of the loop are ordered by its expansion.
std::set<BufferId> panels_of(Loop& pipeline, const Schedule& schedule);

/// Returns how many elements of memory one stage of the panel takes.
Extent stage_elements(const Buffer& panel);

}  // namespace codegen::schedule::gpu
