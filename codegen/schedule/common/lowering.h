#pragma once

#include <span>

#include "codegen/schedule/ir/index.h"

namespace codegen::schedule {

/// The state of one kernel's lowering, which all its parts share. Each target derives its own class with the
/// description of its machine.
struct Lowering {
  const kernel::Kernel& kernel;
  Schedule schedule = {};
  LoopId next_loop = 0;    ///< the first number that no loop has
  ValueId next_value = 0;  ///< the first number that no value has

  /// Returns a serial loop over the axis, and binds the axis to its variable in `renaming`.
  Loop serial(const kernel::Axis& axis, Renaming& renaming);
  /// Adds the buffer and returns its id. If its name is taken, a number is appended.
  BufferId add_buffer(Buffer buffer);
};

/// The buffers of a schedule by id. Functions that examine a stage's accesses take them.
using Buffers = std::span<const Buffer>;

/// Returns whether the accessed element depends on loaded values.
bool has_loaded(const Access& access);
/// Returns whether the points of the stage must run in order, as those of a scatter must.
bool runs_in_order(const kernel::Stage& stage);

}  // namespace codegen::schedule
