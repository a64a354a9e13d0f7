#include "dlvm/analysis/allocation_count.h"

namespace dlvm {

std::optional<Extent> allocation_count(const Instruction& allocation, Bounds& bounds) {
  if (allocation.opcode() == Opcode::allocateBox) return 1;
  if (allocation.opcode() == Opcode::allocateStack) return std::get<Shape>(allocation.attributes()[1])[0];
  const IntegerBounds count = bounds.of(*allocation.operand(0));
  return count.least >= 0 ? count.exact() : std::nullopt;
}

}  // namespace dlvm
