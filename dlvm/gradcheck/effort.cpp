#include "dlvm/gradcheck/effort.h"

#include <algorithm>

#include "dlvm/ir/instruction_views.h"

namespace dlvm {
namespace {

// In elements read or written: what an instruction on scalars costs, and what a product in a sum of many.
constexpr double fixed_cost = 100, product_cost = 0.0625;

double elements(const RuntimeValue& value) {
  return value.is_tensor() ? static_cast<double>(value.tensor().size()) : 0;
}

double elements(const Type& type, const Extent::Bindings& dimensions) {
  if (!type.is_tensor()) return 0;
  double count = 1;
  for (const Extent& extent : type.shape())
    count *= static_cast<double>(extent.evaluate(dimensions).value_or(0));
  return count;
}

/// Returns how many terms each element of the result combines.
double combined_terms(const Instruction& instruction, std::span<const RuntimeValue> operands) {
  const auto extent = [&](std::size_t operand, std::int64_t axis) {
    return static_cast<double>(operands[operand].tensor().extents()[static_cast<std::size_t>(axis)]);
  };
  double terms = 1;
  if (const auto dot = as<Dot>(instruction))
    for (const auto& [left, right] : dot.axes().contract) terms *= extent(0, left);
  if (as<Convolve>(instruction))
    for (std::size_t axis = 1; axis < operands[1].tensor().extents().size(); ++axis)
      terms *= extent(1, static_cast<std::int64_t>(axis));
  if (const auto window = as<ReduceWindow>(instruction))
    for (const WindowAxis& axis : window.axes())
      terms *= static_cast<double>(axis.taps.constant().value_or(1));
  if (const auto reduce = as<Reduce>(instruction))
    for (const std::int64_t axis : reduce.axes()) terms *= extent(0, axis);
  return terms;
}

/// Returns the cost of one element of the result that combines so many terms. Those of a reduction are
/// counted as elements that are read.
double element_cost(const Instruction& instruction, double terms) {
  if (as<Dot>(instruction) || as<Convolve>(instruction)) return 1 + product_cost * terms;
  return as<ReduceWindow>(instruction) ? 1 + terms : 1;
}

}  // namespace

bool Effort::proceed(const Instruction& instruction, std::span<const RuntimeValue> operands,
                     const Extent::Bindings& dimensions) {
  const double terms = combined_terms(instruction, operands);
  longest_sum = std::max(longest_sum, terms);
  spent += fixed_cost + elements(instruction.type(), dimensions) * element_cost(instruction, terms);
  for (const RuntimeValue& operand : operands) spent += elements(operand);
  if (before_instruction) before_instruction();
  return spent <= limit;
}

}  // namespace dlvm
