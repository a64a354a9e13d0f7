#pragma once

#include <span>

#include "codegen/schedule/ir/index.h"

namespace codegen::schedule {

/// The state that all parts of one kernel's lowering share. Each target derives its own from it, with the
/// description of its machine.
struct Lowering {
  const kernel::Kernel& kernel;
  Schedule schedule = {};
  LoopId next_loop = 0;    ///< the first number that no loop has
  ValueId next_value = 0;  ///< the first number that no value has

  /// Returns a loop over the axis, and replaces the axis by its variable in `renaming`.
  Loop serial(const kernel::Axis& axis, Renaming& renaming);
  /// Adds the buffer, with a number behind its name where that is taken.
  BufferId add_buffer(Buffer buffer);
};

/// The buffers of a schedule, by id, as questions about a stage's accesses need them.
using Buffers = std::span<const Buffer>;

/// Whether the place depends on loaded values.
bool has_loaded(const Access& access);
/// Whether the points of the stage must run in order: a scatter.
bool runs_in_order(const kernel::Stage& stage);

}  // namespace codegen::schedule
