#pragma once

#include "dlvm/analysis/bounds.h"

namespace dlvm {

/// How many values an allocation makes.
struct AllocationCount {
  Extent most;         ///< never negative
  bool exact = false;  ///< always so many
};

/// Returns what is known of the count before the call; nothing for a literal below 0. Where no extent bounds
/// it, the dimension `FUNCTION_values` does, which whoever calls the function must bind.
std::optional<AllocationCount> allocation_count(const Instruction& allocation, Bounds& bounds);

}  // namespace dlvm
