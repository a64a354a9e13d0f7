#include "dlvm/differentiate/rules.h"

#include <algorithm>
#include <cmath>

#include "dlvm/analysis/leaves.h"
#include "dlvm/differentiate/testing.h"
#include "dlvm/ir/instruction_views.h"

namespace dlvm {
namespace {

thread_local std::span<const DerivativeRow> overrides;

bool is_splat(const Value* value, double number) {
  const Literal* literal = as_literal(value);
  return literal != nullptr && literal->splat() == number;
}

}  // namespace

const DerivativeRow& derivative(Opcode opcode) {
  for (const DerivativeRow& row : overrides)
    if (row.opcode == opcode) return row;
  return derivative_row(opcode);
}

std::string_view why_unknown(const Instruction& instruction) {
  const DerivativeRow& row = derivative(instruction.opcode());
  if (as<ApplyValue>(instruction)) return "no derivative of a value that is a function is known";
  if (std::holds_alternative<None>(row.rule)) return "no rule for its derivative is known";
  if (const CustomRule* own = std::get_if<CustomRule>(&row.rule); own != nullptr && own->unknown != nullptr)
    return own->unknown(instruction);
  return {};
}

Edge derivative_edge(const Instruction& instruction, std::size_t operand) {
  const auto& rule = derivative(instruction.opcode()).rule;
  if (std::holds_alternative<Detached>(rule)) return Edge::detached;
  if (std::holds_alternative<PiecewiseConstant>(rule)) return Edge::step;
  const bool from_floating = has_floating_leaf(instruction.operand(operand)->type());
  if (from_floating && std::holds_alternative<None>(rule)) return Edge::unknown;
  if (!from_floating || !has_floating_leaf(instruction.type())) return Edge::step;
  return why_unknown(instruction).empty() ? Edge::smooth : Edge::unknown;
}

Value* zeros(Builder& builder, const Type& type) { return builder.splat(type, 0); }
Value* ones(Builder& builder, const Type& type) { return builder.splat(type, 1); }

Value* stretched(Builder& builder, Value* value, const Shape& shape) {
  if (value->type().shape() == shape) return value;
  if (const Literal* literal = as_literal(value); literal != nullptr && literal->splat())
    return builder.splat(value->type().with_shape(shape), *literal->splat());
  return builder.broadcast(value, shape);
}

Value* scaled(Builder& builder, Value* cotangent, const Partial& partial) {
  double factor = partial.factor;
  if (partial.value != nullptr) {
    const Literal* literal = as_literal(partial.value);
    const auto constant = literal != nullptr ? literal->splat() : std::nullopt;
    if (!constant || !std::isfinite(*constant)) {
      if (is_splat(cotangent, 1)) return stretched(builder, partial.value, cotangent->type().shape());
      if (const Instruction* negated = match(partial.value, Opcode::negate))
        return builder.negate(builder.binary(Opcode::absorbingMultiply, cotangent, negated->operand(0)));
      return builder.binary(Opcode::absorbingMultiply, cotangent, partial.value);
    }
    factor = *constant;
  }
  if (factor == 0) return nullptr;
  if (factor == 1) return cotangent;
  if (const Literal* literal = as_literal(cotangent); literal != nullptr && literal->splat())
    return builder.splat(cotangent->type(), *literal->splat() * factor);
  if (factor == -1) return builder.negate(cotangent);
  return builder.multiply(cotangent, builder.constant(cotangent->type().element(), factor));
}

Value* negative(Builder& builder, Value* value) {
  const Instruction* negated = match(value, Opcode::negate);
  return negated != nullptr ? negated->operand(0) : builder.negate(value);
}

Value* unbroadcast(Builder& builder, Value* value, const Type& type) {
  const Shape &from = value->type().shape(), &to = type.shape();
  Integers axes;
  for (std::size_t i = 0; i < from.size(); ++i) {
    const std::size_t missing = from.size() - to.size();
    if (i < missing || (to[i - missing].is(1) && !from[i].is(1)))
      axes.push_back(static_cast<std::int64_t>(i));
  }
  return builder.shape_cast(builder.sum(value, std::move(axes)), to);
}

ScopedDerivatives::ScopedDerivatives(std::span<const DerivativeRow> rows) { overrides = rows; }
ScopedDerivatives::~ScopedDerivatives() { overrides = {}; }

}  // namespace dlvm
