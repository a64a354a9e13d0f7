#include "codegen/kernel/build/expressions.h"

#include <algorithm>

#include "codegen/kernel/ir/contraction.h"
#include "codegen/kernel/ir/walk.h"
#include "dlvm/support/overloaded.h"

namespace codegen::kernel {

using dlvm::Opcode;
using dlvm::Tensor;

ScalarId Expressions::add(Scalar scalar) {
  if (auto* load = std::get_if<Scalar::Load>(&scalar.definition); load != nullptr && load->bounds.empty())
    load->fill = 0;
  const auto found = std::ranges::find(all, scalar);
  if (found != all.end()) return static_cast<ScalarId>(found - all.begin());
  all.push_back(std::move(scalar));
  return static_cast<ScalarId>(all.size() - 1);
}

ScalarId Expressions::operation(Opcode opcode, ElementType type, std::vector<ScalarId> operands) {
  return add({type, Scalar::Operation{opcode, std::move(operands)}});
}

ScalarId Expressions::literal(ElementType type, double value) {
  return add({type, Scalar::Literal{Tensor::scalar(type, value)}});
}

ScalarId Expressions::state(ElementType type, std::size_t component) {
  return add({type, Scalar::State{static_cast<std::uint32_t>(component)}});
}

Index Copier::copy(const Index& index) {
  const auto of_axis = [&](AxisId axis) {
    const auto found = axes_.find(axis);
    return axis_index(found == axes_.end() ? axis : found->second);
  };
  return substitute(
      index, dlvm::Overloaded{of_axis, [&](Loaded loaded) { return loaded_index(copy(loaded.scalar)); }});
}

ScalarId Copier::copy(ScalarId id) {
  if (const auto found = done_.find(id); found != done_.end()) return found->second;
  if (replace_)
    if (const auto other = replace_(from_[id])) return done_[id] = *other;
  Scalar scalar = from_[id];
  visit_uses(scalar, dlvm::Overloaded{[&](ScalarId& operand) { operand = copy(operand); },
                                      [&](Index& index) { index = copy(index); }});
  return done_[id] = add(std::move(scalar));
}

ScalarId Copier::add(Scalar scalar) {
  if (std::holds_alternative<Scalar::Load>(scalar.definition)) {
    const bool is_short = is_short_float(scalar.type);
    const ScalarId load = to_.add(std::move(scalar));
    return is_short ? to_.operation(Opcode::dataTypeCast, ElementType::f32, {load}) : load;
  }
  if (is_short_float(scalar.type)) scalar.type = ElementType::f32;
  if (auto* literal = std::get_if<Scalar::Literal>(&scalar.definition);
      literal != nullptr && literal->value.element() != scalar.type)
    literal->value = Tensor::scalar(scalar.type, literal->value.real(0));
  const auto* operation = std::get_if<Scalar::Operation>(&scalar.definition);
  if (operation != nullptr && operation->opcode == Opcode::dataTypeCast &&
      to_.all[operation->operands[0]].type == scalar.type)
    return operation->operands[0];
  return to_.add(std::move(scalar));
}

}  // namespace codegen::kernel
