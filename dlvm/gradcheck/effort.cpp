#include "dlvm/gradcheck/effort.h"

#include "dlvm/ir/instruction_views.h"

namespace dlvm {
namespace {

// In elements read or written: what an instruction on scalars costs, and what a product in a sum of many.
constexpr double fixed_cost = 100, product_cost = 0.125;

double elements(const RuntimeValue& value) {
  return value.is_tensor() ? static_cast<double>(value.tensor().size()) : 0;
}

/// Returns the cost of one element of the result.
double element_cost(const Instruction& instruction, std::span<const RuntimeValue> operands) {
  const auto dot = as<Dot>(instruction);
  if (!dot) return 1;
  double cost = product_cost;
  for (const auto& [left, right] : dot.axes().contract)
    cost *= static_cast<double>(operands[0].tensor().extents()[static_cast<std::size_t>(left)]);
  return 1 + cost;
}

}  // namespace

void Effort::observe(const Instruction& instruction, std::span<const RuntimeValue> operands,
                     const RuntimeValue& result) {
  spent += fixed_cost + elements(result) * element_cost(instruction, operands);
  for (const RuntimeValue& operand : operands) spent += elements(operand);
  if (after_instruction) after_instruction();
}

}  // namespace dlvm
