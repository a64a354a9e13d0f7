#include "dlvm/differentiate/rules.h"

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "dlvm/analysis/leaves.h"
#include "dlvm/differentiate/testing.h"

namespace dlvm {
namespace {

thread_local std::span<const DerivativeRow> overrides;

bool is_splat(const Value* value, double number) {
  const Literal* literal = as_literal(value);
  return literal != nullptr && literal->splat() == number;
}

bool is_integral(const Type& type) { return type.is_tensor() && is_integer(type.element()); }

/// Whether the integers are made of the bits of floats. Where they come out of a call is not looked into.
bool carries_bits(const Value* value, std::unordered_set<const Value*>& seen) {
  const Instruction* instruction = as_instruction(value);
  if (instruction == nullptr || !is_integral(value->type()) || !seen.insert(value).second) return false;
  const auto& operands = instruction->operands();
  if (instruction->opcode() == Opcode::bitCast && is_floating(operands[0]->type().element())) return true;
  return std::any_of(operands.begin(), operands.end(),
                     [&](const Value* operand) { return carries_bits(operand, seen); });
}

/// Whether the instruction's numbers follow the bits of floats in its operand. These are no steps: whoever
/// makes floats of them again may have changed nothing. A comparison of them is a step.
bool shows_bits(const Instruction& instruction, const Value* operand) {
  if (!operand->type().is_tensor() || !instruction.type().is_tensor()) return false;
  if (is_boolean(instruction.type().element())) return false;
  if (is_floating(operand->type().element())) return instruction.opcode() == Opcode::bitCast;
  std::unordered_set<const Value*> seen;
  return carries_bits(operand, seen);
}

}  // namespace

const DerivativeRow& derivative(Opcode opcode) {
  for (const DerivativeRow& row : overrides)
    if (row.opcode == opcode) return row;
  return derivative_row(opcode);
}

std::string_view why_unknown(const Instruction& instruction) {
  const DerivativeRow& row = derivative(instruction.opcode());
  if (std::holds_alternative<None>(row.rule)) return "no rule for its derivative is known";
  if (const CustomRule* own = std::get_if<CustomRule>(&row.rule); own != nullptr && own->unknown != nullptr)
    return own->unknown(instruction);
  return {};
}

Edge derivative_edge(const Instruction& instruction, std::size_t operand) {
  const auto& rule = derivative(instruction.opcode()).rule;
  if (std::holds_alternative<Detached>(rule)) return Edge::detached;
  if (shows_bits(instruction, instruction.operand(operand))) return Edge::unknown;
  if (std::holds_alternative<PiecewiseConstant>(rule)) return Edge::step;
  const bool from_floating = has_floating_leaf(instruction.operand(operand)->type());
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
