#pragma once

#include <set>

#include "codegen/schedule/ir/schedule.h"

namespace codegen::schedule::gpu {

/// Makes rings of the panels of pipelines: what fills them runs some trips ahead of what uses them, so that
/// the copies of these trips are under way meanwhile. A pipeline's body first fills panels (shared memory
/// allocated outside of it), then uses them:
///
///   pipeline k in K step s depth d {        for a in d - 1 { if (s a < K) { fill slot a for s a }  commit }
///     fill p for k                          for k in K step s {
///     use p                                   wait d - 2  barrier
///   }                                         if (k + s (d - 1) < K) { fill slot (k / s + d - 1) mod d for
///   that }
///                                             commit
///                                             use slot (k / s) mod d
///                                           }
///
/// One barrier a trip is enough: it shows what was waited for to all threads, and the slot that is filled
/// next is the one that all have used before it. Every trip commits, so that a wait counts trips also at the
/// end. A pipeline of another form, or of one trip, becomes a serial loop. After it there is no pipeline.
void expand_pipelines(Schedule& schedule);

/// The panels that become rings; none where the pipeline becomes a serial loop. Who touches them inside of
/// the loop is ordered by its expansion.
std::set<BufferId> panels_of(Loop& pipeline, const Schedule& schedule);

/// How many elements of memory a slot of the panel's ring takes.
Extent slot_elements(const Buffer& panel);

}  // namespace codegen::schedule::gpu
