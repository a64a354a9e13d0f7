#pragma once

#include <set>

#include "codegen/schedule/common/lowering.h"
#include "codegen/schedule/cpu/target.h"

namespace codegen::schedule::cpu {

/// The state of one kernel's lowering for one core.
struct CpuLowering : Lowering {
  const CpuTarget& target;
  bool small_m = false;  ///< the variant's guards say that products have few rows
  /// Buffers whose rows end in room for whole vectors, and that have room for a vector more of rows.
  std::set<BufferId> padded = {};
};

}  // namespace codegen::schedule::cpu
