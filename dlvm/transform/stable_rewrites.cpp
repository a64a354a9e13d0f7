#include "dlvm/transform/stable_rewrites.h"

#include <limits>

#include "dlvm/ir/instruction_views.h"
#include "dlvm/transform/rewrite.h"

namespace dlvm {
namespace {

/// The value behind views that only move or repeat elements, at most a few.
Value* behind_views(Value* value) {
  for (int depth = 0; depth < 8; ++depth) {
    Instruction* view = as_instruction(value);
    if (view == nullptr || !view->is(Trait::view) || view->operands().size() != 1) return value;
    value = view->operand(0);
  }
  return value;
}

/// Whether x is a difference with something detached: shifted already.
bool is_shifted(Value* x) {
  const Instruction* difference = match(behind_views(x), Opcode::subtract);
  return difference != nullptr && match(behind_views(difference->operand(1)), Opcode::detach) != nullptr;
}

/// Whether x is -|x| in one of its forms, so that exp(x) is at most 1.
bool is_bounded(Value* x) {
  if (const Instruction* negated = match(x, Opcode::negate))
    return match(negated->operand(0), Opcode::abs) != nullptr;
  const Instruction* select = match(x, Opcode::select);
  if (select == nullptr) return false;
  const auto negates = [](Value* a, Value* b) {
    const Instruction* negated = match(a, Opcode::negate);
    return negated != nullptr && negated->operand(0) == b;
  };
  return negates(select->operand(0), select->operand(1)) || negates(select->operand(1), select->operand(0));
}

Value* one_plus(Value* value) {
  const Instruction* sum = match(value, Opcode::add);
  if (sum == nullptr) return nullptr;
  for (const std::size_t side : {0u, 1u})
    if (is_splat(sum->operand(side), 1.0) && sum->operand(1 - side)->type() == sum->type())
      return sum->operand(1 - side);
  return nullptr;
}

Value* log_of_quotient(Instruction& i, Builder& b) {
  const Instruction* quotient = match(i.operand(0), Opcode::divide);
  if (quotient == nullptr) return nullptr;
  const Instruction* exp = match(quotient->operand(0), Opcode::exp);
  if (exp == nullptr && !is_splat(quotient->operand(0), 1.0)) return nullptr;
  Value* divisor = b.unary(Opcode::log, quotient->operand(1));
  return exp != nullptr ? b.subtract(exp->operand(0), divisor) : stretched(b, b.negate(divisor), i.type());
}

Value* softplus(Instruction& i, Builder& b) {
  Value* x = i.opcode() == Opcode::log1p ? i.operand(0) : one_plus(i.operand(0));
  const Instruction* exp = x != nullptr ? match(x, Opcode::exp) : nullptr;
  if (exp == nullptr || is_bounded(exp->operand(0))) return nullptr;
  Value* at = exp->operand(0);
  Value* zero = b.constant(at->type().element(), 0);
  Value* positive = b.binary(Opcode::greaterThan, at, zero);
  Value* decay = b.unary(Opcode::exp, b.select(b.negate(at), at, positive));
  Value* rest = b.unary(Opcode::log1p, decay);
  return b.add(b.select(at, zero, positive), rest);
}

/// log through views, down to the sum.
Value* log_of_view(Instruction& i, Builder& b) {
  Value* x = i.operand(0);
  Instruction* view = as_instruction(x);
  if (view == nullptr || !view->is(Trait::view) || view->operands().size() != 1) return nullptr;
  const Instruction* sum = match(behind_views(x), Opcode::reduce);
  if (sum == nullptr || match(sum->operand(0), Opcode::exp) == nullptr) return nullptr;
  return b.create(view->opcode(), {b.unary(Opcode::log, view->operand(0))}, view->attributes());
}

Value* log_of_sum_of_exp(Instruction& i, Builder& b) {
  const auto sum = as<Reduce>(i.operand(0));
  if (!sum || !sum.combinator().is(Opcode::add) || splat_value(sum.initial()) != 0.0) return nullptr;
  const Instruction* exp = match(sum.input(), Opcode::exp);
  if (exp == nullptr || is_shifted(exp->operand(0))) return nullptr;
  Value* at = exp->operand(0);
  const ElementType element = at->type().element();
  Value* least = b.constant(element, -std::numeric_limits<double>::infinity());
  Value* largest = b.reduce(at, {Opcode::max, nullptr}, least, sum.axes());
  Value* is_finite = b.unary(Opcode::isFinite, largest);
  Value* shift = b.unary(Opcode::detach, b.select(largest, b.constant(element, 0), is_finite));
  Shape kept = at->type().shape();  // reduced axes with extent 1
  for (const auto axis : sum.axes()) kept[static_cast<std::size_t>(axis)] = 1;
  Value* shifted = b.subtract(at, b.shape_cast(shift, kept));
  return b.add(shift, b.unary(Opcode::log, b.sum(b.unary(Opcode::exp, shifted), sum.axes())));
}

Value* log_one_plus(Instruction& i, Builder& b) {
  Value* x = one_plus(i.operand(0));
  return x != nullptr ? b.unary(Opcode::log1p, x) : nullptr;
}

Value* exp_minus_one(Instruction& i, Builder& b) {
  const double one = i.opcode() == Opcode::subtract ? 1.0 : -1.0;
  const Instruction* exp = match(i.operand(0), Opcode::exp);
  if (exp == nullptr || !is_splat(i.operand(1), one)) return nullptr;
  return stretched(b, b.unary(Opcode::expm1, exp->operand(0)), i.type());
}

}  // namespace

bool stable_rewrites(Function& function) {
  constexpr RewriteRule rules[]{
      {{Opcode::log}, log_of_quotient}, {{Opcode::log, Opcode::log1p}, softplus},
      {{Opcode::log}, log_of_view},     {{Opcode::log}, log_of_sum_of_exp},
      {{Opcode::log}, log_one_plus},    {{Opcode::add, Opcode::subtract}, exp_minus_one},
  };
  return rewrite(function, rules);
}

}  // namespace dlvm
