#pragma once

#include <optional>

#include "dlvm/analysis/bounds.h"

namespace dlvm {

/// Returns how many values an allocation makes: a number, or an extent that is never negative. Returns
/// nothing where that is not known before the call, and for a literal count below 0.
std::optional<Extent> allocation_count(const Instruction& allocation, Bounds& bounds);

}  // namespace dlvm
