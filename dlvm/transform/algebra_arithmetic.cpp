#include <cmath>

#include "dlvm/transform/algebra_rules.h"

namespace dlvm::algebra {
namespace {

ElementType element(const Instruction& i) { return i.type().element(); }
bool floating(const Instruction& i) { return i.type().is_tensor() && is_floating(element(i)); }

/// The operand of `value` where it is that unary instruction.
Value* inside(Value* value, Opcode opcode) {
  const Instruction* instruction = match(value, opcode);
  return instruction != nullptr ? instruction->operand(0) : nullptr;
}

/// The type is unchanged when broadcasting operands take each other's place.
Value* binary(Builder& b, Opcode opcode, Value* x, Value* y, const Instruction& like) {
  return stretched(b, b.binary(opcode, x, y), like.type());
}

// Neutral elements. x + -0 is x for every x; x + 0 is not, for -0; of integers both are.
bool is_zero_for_add(const Instruction& i, const Value* v) {
  return floating(i) ? is_splat(v, -0.0) : is_splat(v, 0.0);
}
Value* add_zero(Instruction& i, Builder& b) {
  for (const int side : {0, 1})
    if (is_zero_for_add(i, i.operand(1 - side))) return stretched(b, i.operand(side), i.type());
  return nullptr;
}
Value* subtract_zero(Instruction& i, Builder& b) {
  if (!is_splat(i.operand(1), 0.0)) return nullptr;
  return stretched(b, i.operand(0), i.type());
}
Value* multiply_one(Instruction& i, Builder& b) {
  const auto [x, one] = with_literal(i);
  return one != nullptr && is_splat(one, 1.0) ? stretched(b, x, i.type()) : nullptr;
}
Value* multiply_minus_one(Instruction& i, Builder& b) {
  const auto [x, minus] = with_literal(i);
  return minus != nullptr && is_splat(minus, -1.0) ? stretched(b, b.negate(x), i.type()) : nullptr;
}
Value* divide_one(Instruction& i, Builder& b) {
  if (i.opcode() != Opcode::divide && floating(i)) return nullptr;
  return is_splat(i.operand(1), 1.0) ? stretched(b, i.operand(0), i.type()) : nullptr;
}
Value* divide_minus_one(Instruction& i, Builder& b) {
  if (!is_splat(i.operand(1), -1.0)) return nullptr;
  return stretched(b, b.negate(i.operand(0)), i.type());
}
/// x / 2^k is x * 2^-k, both exact before the one rounding.
Value* divide_power_of_two(Instruction& i, Builder& b) {
  const auto divisor = splat_value(i.operand(1));
  int exponent = 0;
  if (!divisor || std::abs(std::frexp(*divisor, &exponent)) != 0.5 || std::abs(exponent) > 13) return nullptr;
  if (as_literal(i.operand(0)) != nullptr) return nullptr;
  return b.binary(Opcode::multiply, i.operand(0), b.splat(i.operand(1)->type(), 1 / *divisor));
}

/// Whether the float is a converted integer of a type that has no value beyond the float's, so that it is
/// finite.
bool is_converted(Value* value, bool without_sign) {
  const Instruction* cast = match(value, Opcode::dataTypeCast);
  if (cast == nullptr) return false;
  const ElementType from = cast->operand(0)->type().element();
  const bool narrow = is_boolean(from) || info(from).bytes == 1;
  if (is_floating(from) || (without_sign && !is_boolean(from) && is_signed(from))) return false;
  return narrow || value->type().element() != ElementType::f16;
}

// Absorbing elements; of floats only where the definition says so, or where the other is known to be finite.
Value* multiply_zero(Instruction& i, Builder& b) {
  if (i.opcode() == Opcode::multiply && floating(i)) {
    const auto [x, zero] = with_literal(i);
    return zero != nullptr && is_splat(zero, 0.0) && is_converted(x, true) ? b.splat(i.type(), 0) : nullptr;
  }
  for (const Value* operand : i.operands())
    if (splat_value(operand) == 0.0) return b.splat(i.type(), 0);
  return nullptr;
}
/// A product that absorbs neither infinity nor NaN is an ordinary one; of -0 it makes 0, as 0 + -0 does.
Value* absorb_constant(Instruction& i, Builder& b) {
  const auto [x, factor] = with_literal(i);
  if (factor == nullptr || factor->splat() != 1.0) return nullptr;
  return stretched(b, b.add(x, b.constant(element(i), 0)), i.type());
}
Value* modulo_one(Instruction& i, Builder& b) {
  if (floating(i) || !is_splat(i.operand(1), 1.0)) return nullptr;
  return b.splat(i.type(), 0);
}
Value* subtract_itself(Instruction& i, Builder& b) {
  if (i.operand(0) != i.operand(1) || (floating(i) && !is_converted(i.operand(0), false))) return nullptr;
  return b.splat(i.type(), 0);
}

// Signs.
Value* negate_negate(Instruction& i, Builder&) { return inside(i.operand(0), Opcode::negate); }
Value* add_negated(Instruction& i, Builder& b) {
  for (const int side : {1, 0})
    if (Value* x = inside(i.operand(static_cast<std::size_t>(side)), Opcode::negate))
      return binary(b, Opcode::subtract, i.operand(static_cast<std::size_t>(1 - side)), x, i);
  return nullptr;
}
Value* subtract_negated(Instruction& i, Builder& b) {
  Value* x = inside(i.operand(1), Opcode::negate);
  return x != nullptr ? binary(b, Opcode::add, i.operand(0), x, i) : nullptr;
}
Value* product_of_negated(Instruction& i, Builder& b) {
  Value *x = inside(i.operand(0), Opcode::negate), *y = inside(i.operand(1), Opcode::negate);
  return x != nullptr && y != nullptr ? binary(b, i.opcode(), x, y, i) : nullptr;
}
/// x^2, cosh x, cos x and, but of unsigned integers, |x| take no notice of a sign.
Value* even_of_sign(Instruction& i, Builder& b) {
  const bool has_sign = is_floating(element(i)) || is_signed(element(i));
  if (i.opcode() == Opcode::abs && !has_sign) return i.operand(0);
  for (const Opcode sign : {Opcode::negate, Opcode::abs})
    if (Value* x = inside(i.operand(0), sign)) return b.unary(i.opcode(), x);
  return nullptr;
}

// Powers with a constant exponent, or of one, which is one whatever the exponent.
Value* simple_power(Instruction& i, Builder& b) {
  if (splat_value(i.operand(0)) == 1.0) return b.splat(i.type(), 1);
  const auto exponent = splat_value(i.operand(1));
  if (!exponent) return nullptr;
  Value* x = i.operand(0);
  if (*exponent == 0) return b.splat(i.type(), 1);
  if (*exponent == 1) return stretched(b, x, i.type());
  if (*exponent == 2) return stretched(b, b.unary(Opcode::square, x), i.type());
  if (*exponent == -1 && floating(i)) return binary(b, Opcode::divide, b.constant(element(i), 1), x, i);
  return nullptr;
}
Value* product_with_itself(Instruction& i, Builder& b) {
  if (i.operand(0) != i.operand(1)) return nullptr;
  return b.unary(Opcode::square, i.operand(0));
}

constexpr OpcodeSet whole{Opcode::round, Opcode::rint, Opcode::ceil, Opcode::floor};
/// round, floor … of what is whole already.
Value* whole_of_whole(Instruction& i, Builder&) {
  const Instruction* x = as_instruction(i.operand(0));
  return x != nullptr && whole.contains(x->opcode()) ? i.operand(0) : nullptr;
}

constexpr RewriteRule rules[]{
    {{Opcode::add}, add_zero},
    {{Opcode::subtract}, subtract_zero},
    {{Opcode::multiply}, multiply_one},
    {{Opcode::multiply}, multiply_minus_one},
    {{Opcode::divide, Opcode::truncateDivide, Opcode::floorDivide}, divide_one},
    {{Opcode::divide}, divide_minus_one},
    {{Opcode::divide}, divide_power_of_two},
    {{Opcode::multiply, Opcode::absorbingMultiply}, multiply_zero},
    {{Opcode::absorbingMultiply}, absorb_constant},
    {{Opcode::modulo}, modulo_one},
    {{Opcode::subtract}, subtract_itself},
    {{Opcode::negate}, negate_negate},
    {{Opcode::add}, add_negated},
    {{Opcode::subtract}, subtract_negated},
    {{Opcode::multiply, Opcode::divide}, product_of_negated},
    {{Opcode::abs, Opcode::square, Opcode::cos, Opcode::cosh}, even_of_sign},
    {{Opcode::power}, simple_power},
    {{Opcode::multiply}, product_with_itself},
    {whole, whole_of_whole},
};

}  // namespace

WithLiteral with_literal(const Instruction& i) {
  for (const std::size_t side : {1u, 0u})
    if (const Literal* literal = as_literal(i.operand(side))) return {i.operand(1 - side), literal};
  return {};
}

std::span<const RewriteRule> arithmetic_rules() { return rules; }

}  // namespace dlvm::algebra
