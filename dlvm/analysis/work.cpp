#include "dlvm/analysis/work.h"

#include <algorithm>
#include <set>

#include "dlvm/ir/instruction_views.h"

namespace dlvm {
namespace {

std::int64_t times(std::int64_t a, std::int64_t b) {
  return a != 0 && b > unbounded_count / a ? unbounded_count : a * b;
}

}  // namespace

std::int64_t typical_count(const Extent& extent, const Extent::Bindings& dimensions) {
  Extent::Bindings bindings = dimensions;
  std::set<std::string> names;
  extent.collect_names(names);
  for (const std::string& name : names) bindings.try_emplace(name, typical_dimension);
  return std::clamp<std::int64_t>(extent.evaluate(bindings).value_or(unbounded_count), 0, unbounded_count);
}

std::int64_t typical_bytes(const Type& type, const Extent::Bindings& dimensions) {
  if (!type.is_tensor()) return 0;
  return times(typical_count(unit_count(type.shape()), dimensions), info(type.element()).bytes);
}

std::int64_t work(const Instruction& instruction, const Extent::Bindings& dimensions) {
  if (!instruction.type().is_tensor()) return 0;
  const auto elements = [&](const Value* value) {
    return typical_count(unit_count(value->type().shape()), dimensions);
  };
  const std::int64_t results = elements(&instruction);
  if (const auto dot = as<Dot>(instruction)) {
    std::int64_t terms = 2;
    for (const auto& [left, right] : dot.axes().contract)
      terms =
          times(terms, typical_count(dot.left()->type().shape()[static_cast<std::size_t>(left)], dimensions));
    return times(terms, results);
  }
  if (const auto convolve = as<Convolve>(instruction)) {
    const Value* kernel = convolve.kernel();
    const std::int64_t filters =
        std::max<std::int64_t>(typical_count(kernel->type().shape()[0], dimensions), 1);
    return times(2 * (elements(kernel) / filters), results);
  }
  if (instruction.is(Trait::elementwise)) return times(instruction.definition().cost, results);
  if (instruction.is(Trait::free)) return 0;
  std::int64_t most = results;
  for (const Value* operand : instruction.operands())
    if (operand->type().is_tensor()) most = std::max(most, elements(operand));
  return times(std::max<std::int64_t>(instruction.definition().cost, 1), most);
}

bool moves_elements(const Instruction& instruction) {
  return instruction.is(Trait::free) || instruction.opcode() == Opcode::literal ||
         instruction.opcode() == Opcode::extract || instruction.opcode() == Opcode::insert;
}

}  // namespace dlvm
