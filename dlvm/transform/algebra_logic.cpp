#include "dlvm/transform/algebra_rules.h"

namespace dlvm::algebra {
namespace {

bool is_bool(const Value* v, bool value) { return is_splat(v, value ? 1.0 : 0.0); }
bool integers(const Value* v) { return v->type().is_tensor() && !is_floating(v->type().element()); }

// Of the same operand twice: itself. NaN is NaN either way.
Value* idempotent(Instruction& i, Builder&) { return i.operand(0) == i.operand(1) ? i.operand(0) : nullptr; }
Value* neutral(Instruction& i, Builder& b) {
  const auto [x, literal] = with_literal(i);
  if (literal == nullptr || !literal->is_splat()) return nullptr;
  const bool conjunction = i.opcode() == Opcode::and_;
  if (is_bool(literal, conjunction)) return stretched(b, x, i.type());
  return b.splat(i.type(), conjunction ? 0 : 1);
}
Value* not_not(Instruction& i, Builder&) {
  const Instruction* x = match(i.operand(0), Opcode::not_);
  return x != nullptr ? x->operand(0) : nullptr;
}
/// The opposite of an order holds for integers only: NaN makes both false.
Value* not_comparison(Instruction& i, Builder& b) {
  const Instruction* x = as_instruction(i.operand(0));
  if (x == nullptr || x->operands().size() != 2 || !x->is(Trait::comparison)) return nullptr;
  struct Opposite {
    Opcode of, is;
    bool always;
  };
  constexpr Opposite opposites[]{{Opcode::equal, Opcode::notEqual, true},
                                 {Opcode::notEqual, Opcode::equal, true},
                                 {Opcode::lessThan, Opcode::greaterThanOrEqual, false},
                                 {Opcode::lessThanOrEqual, Opcode::greaterThan, false},
                                 {Opcode::greaterThan, Opcode::lessThanOrEqual, false},
                                 {Opcode::greaterThanOrEqual, Opcode::lessThan, false}};
  for (const auto& [of, is, always] : opposites)
    if (x->opcode() == of && (always || integers(x->operand(0))))
      return b.binary(is, x->operand(0), x->operand(1));
  return nullptr;
}
Value* compare_itself(Instruction& i, Builder& b) {
  if (!i.is(Trait::comparison) || i.operands().size() != 2 || i.operand(0) != i.operand(1)) return nullptr;
  if (!integers(i.operand(0))) return nullptr;
  const bool equal = i.opcode() == Opcode::equal || i.opcode() == Opcode::lessThanOrEqual ||
                     i.opcode() == Opcode::greaterThanOrEqual;
  return b.splat(i.type(), equal ? 1 : 0);
}

Value* select_known(Instruction& i, Builder& b) {
  if (i.operand(0) == i.operand(1)) return stretched(b, i.operand(0), i.type());
  const auto condition = splat_value(i.operand(2));
  return condition ? stretched(b, i.operand(*condition != 0 ? 0 : 1), i.type()) : nullptr;
}
Value* select_by_not(Instruction& i, Builder& b) {
  const Instruction* negated = match(i.operand(2), Opcode::not_);
  return negated != nullptr ? b.select(i.operand(1), i.operand(0), negated->operand(0)) : nullptr;
}
Value* select_truth(Instruction& i, Builder& b) {
  if (!i.type().is_tensor() || !is_boolean(i.type().element())) return nullptr;
  if (is_bool(i.operand(0), true) && is_bool(i.operand(1), false))
    return stretched(b, i.operand(2), i.type());
  return nullptr;
}

constexpr RewriteRule rules[]{
    {{Opcode::and_, Opcode::or_, Opcode::min, Opcode::max}, idempotent},
    {{Opcode::and_, Opcode::or_}, neutral},
    {{Opcode::not_}, not_not},
    {{Opcode::not_}, not_comparison},
    {OpcodeSet::all(), compare_itself},
    {{Opcode::select}, select_known},
    {{Opcode::select}, select_by_not},
    {{Opcode::select}, select_truth},
};

}  // namespace

std::span<const RewriteRule> logic_rules() { return rules; }

}  // namespace dlvm::algebra
