#include "dlvm/analysis/allocation_count.h"

#include "dlvm/ir/derived_names.h"

namespace dlvm {

std::optional<AllocationCount> allocation_count(const Instruction& allocation, Bounds& bounds) {
  if (allocation.opcode() == Opcode::allocateBox) return AllocationCount{1, true};
  if (allocation.opcode() == Opcode::allocateStack)
    return AllocationCount{std::get<Shape>(allocation.attributes()[1])[0], true};
  const Value& operand = *allocation.operand(0);
  const IntegerBounds count = bounds.of(operand);
  if (const auto exact = count.exact(); exact && count.least >= 0) return AllocationCount{*exact, true};
  if (as_literal(&operand) != nullptr) return std::nullopt;
  if (count.upper)
    if (const Extent most = without_negative_terms(*count.upper); most.valid())
      return AllocationCount{most, false};
  const std::string name = name_after(allocation.block()->function(), "values");
  return AllocationCount{Extent::dimension(name), false};
}

}  // namespace dlvm
