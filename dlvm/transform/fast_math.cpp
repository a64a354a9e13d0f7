#include "dlvm/transform/fast_math.h"

#include <cmath>

#include "dlvm/transform/algebra_rules.h"

namespace dlvm {
namespace {

using algebra::with_literal;

bool floating(const Value* value) {
  return value->type().is_tensor() && is_floating(value->type().element());
}
bool floating_operands(const Instruction& i) { return floating(i.operand(0)); }

/// A splat whose reciprocal and whose products with others like it are normal numbers of every type.
std::optional<double> ordinary(const Value* value) {
  const auto number = splat_value(value);
  return number && std::abs(*number) > 1e-2 && std::abs(*number) < 1e2 ? number : std::nullopt;
}

Value* multiply_zero(Instruction& i, Builder& b) {
  const auto [x, zero] = with_literal(i);
  return zero != nullptr && zero->splat() == 0.0 ? b.splat(i.type(), 0) : nullptr;
}
Value* add_zero(Instruction& i, Builder& b) {
  const auto [x, zero] = with_literal(i);
  return zero != nullptr && zero->splat() == 0.0 ? stretched(b, x, i.type()) : nullptr;
}
Value* subtract_itself(Instruction& i, Builder& b) {
  return i.operand(0) == i.operand(1) ? b.splat(i.type(), 0) : nullptr;
}
Value* divide_itself(Instruction& i, Builder& b) {
  return i.operand(0) == i.operand(1) ? b.splat(i.type(), 1) : nullptr;
}
Value* divide_literal(Instruction& i, Builder& b) {
  const auto divisor = ordinary(i.operand(1));
  if (!divisor || as_literal(i.operand(0)) != nullptr) return nullptr;
  return b.binary(Opcode::multiply, i.operand(0), b.splat(i.operand(1)->type(), 1 / *divisor));
}

/// (x + a) + b is x + (a + b), and (x * a) * b is x * (a * b).
Value* join_literals(Instruction& i, Builder& b) {
  const auto [inside, outer] = with_literal(i);
  const Instruction* inner = outer != nullptr ? match(inside, i.opcode()) : nullptr;
  if (inner == nullptr) return nullptr;
  const auto [x, literal] = with_literal(*inner);
  const auto first = literal != nullptr ? ordinary(literal) : std::nullopt, second = ordinary(outer);
  if (!first || !second || as_literal(x) != nullptr) return nullptr;
  const double joined = i.opcode() == Opcode::add ? *first + *second : *first * *second;
  return stretched(b, b.binary(i.opcode(), x, b.constant(i.type().element(), joined)), i.type());
}

Value* compare_itself(Instruction& i, Builder& b) {
  if (i.operand(0) != i.operand(1)) return nullptr;
  const bool holds = i.opcode() == Opcode::equal || i.opcode() == Opcode::lessThanOrEqual ||
                     i.opcode() == Opcode::greaterThanOrEqual;
  return b.splat(i.type(), holds ? 1 : 0);
}

Value* inverse(Instruction& i, Builder&) {
  constexpr std::pair<Opcode, Opcode> inverses[]{{Opcode::exp, Opcode::log},
                                                 {Opcode::log, Opcode::exp},
                                                 {Opcode::expm1, Opcode::log1p},
                                                 {Opcode::log1p, Opcode::expm1},
                                                 {Opcode::square, Opcode::sqrt}};
  for (const auto& [outer, inner] : inverses)
    if (i.opcode() == outer)
      if (const Instruction* x = match(i.operand(0), inner)) return x->operand(0);
  return nullptr;
}

/// The rule, of floating-point operands alone.
template <Value* (*rule)(Instruction&, Builder&)>
Value* of_floats(Instruction& i, Builder& b) {
  return floating_operands(i) ? rule(i, b) : nullptr;
}

constexpr RewriteRule rules[]{
    {{Opcode::multiply}, of_floats<multiply_zero>},
    {{Opcode::add}, of_floats<add_zero>},
    {{Opcode::subtract}, of_floats<subtract_itself>},
    {{Opcode::divide}, of_floats<divide_itself>},
    {{Opcode::divide}, of_floats<divide_literal>},
    {{Opcode::add, Opcode::multiply}, of_floats<join_literals>},
    {{Opcode::equal, Opcode::notEqual, Opcode::lessThan, Opcode::lessThanOrEqual, Opcode::greaterThan,
      Opcode::greaterThanOrEqual},
     of_floats<compare_itself>},
    {{Opcode::exp, Opcode::log, Opcode::expm1, Opcode::log1p, Opcode::square}, of_floats<inverse>},
};

}  // namespace

bool fast_math(Function& function) { return rewrite(function, rules); }

}  // namespace dlvm
