#pragma once

#include "dlvm/analysis/pointer_uses.h"

namespace dlvm {

/// Ends the call where the allocation makes more than `capacity` values, or less than none, and where one of
/// its uses goes to a value behind those that it makes: its operand says how many. Memory for `capacity`
/// values can stand in its place then.
void check_uses_by_count(Instruction& allocation, const Extent& capacity, const PointerUses& uses);

}  // namespace dlvm
