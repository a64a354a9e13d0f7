#pragma once

#include "codegen/schedule/common/lowering.h"
#include "codegen/schedule/cpu/target.h"

namespace codegen::schedule::cpu {

/// The lowering of one kernel for one core.
struct CpuLowering : Lowering {
  const CpuTarget& target;
  bool small_m = false;  ///< in the variant whose guards say that products have few rows
};

}  // namespace codegen::schedule::cpu
