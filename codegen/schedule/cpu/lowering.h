#pragma once

#include <set>

#include "codegen/schedule/common/lowering.h"
#include "codegen/schedule/cpu/target.h"

namespace codegen::schedule::cpu {

/// The state of one kernel's lowering for the cores of a processor.
struct CpuLowering : Lowering {
  /// Returns a core loop over the axis, whose points are independent, and binds the axis to its variable.
  Loop over_cores(const kernel::Axis& axis, Renaming& renaming) {
    Loop loop = serial(axis, renaming);
    loop.kind = LoopKind::core;
    return loop;
  }

  const CpuTarget& target;
  bool small_m = false;  ///< the variant's guards say that products have few rows
  /// Buffers whose rows end in room for whole vectors, and that have room for a vector more of rows.
  std::set<BufferId> padded = {};
};

}  // namespace codegen::schedule::cpu
