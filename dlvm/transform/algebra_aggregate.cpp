#include <algorithm>

#include "dlvm/transform/algebra_rules.h"

namespace dlvm::algebra {
namespace {

/// The axes have one element each: what is left of a reduction is one combination with the initial value.
Value* reduce_nothing(Instruction& i, Builder& b) {
  if (i.opcode() != Opcode::reduce || i.combinator().function != nullptr) return nullptr;
  const Shape& shape = i.operand(0)->type().shape();
  for (const auto axis : i.axes())
    if (!shape[static_cast<std::size_t>(axis)].is(1)) return nullptr;
  Value* x = b.shape_cast(i.operand(0), i.type().shape());
  return b.binary(i.combinator().opcode, i.operand(1), x);
}

// Tuples.
Value* extract_literal(Instruction& i, Builder&) {
  if (i.opcode() != Opcode::extract) return nullptr;
  const Instruction* x = match(i.operand(0), Opcode::literal);
  return x != nullptr ? x->operand(static_cast<std::size_t>(i.integers(0)[0])) : nullptr;
}
Value* extract_inserted(Instruction& i, Builder& b) {
  if (i.opcode() != Opcode::extract) return nullptr;
  const Instruction* x = match(i.operand(0), Opcode::insert);
  if (x == nullptr) return nullptr;
  if (x->integers(0) == i.integers(0)) return x->operand(0);
  return b.extract(x->operand(1), i.integers(0)[0]);
}
Value* insert_to_literal(Instruction& i, Builder& b) {
  if (i.opcode() != Opcode::insert) return nullptr;
  const Instruction* x = match(i.operand(1), Opcode::literal);
  if (x == nullptr) return nullptr;
  std::vector<Value*> elements = x->operands();
  elements[static_cast<std::size_t>(i.integers(0)[0])] = i.operand(0);
  return b.tuple(std::move(elements));
}

/// Indices that a check with the same bounds, or narrower ones, has passed.
Value* check_again(Instruction& i, Builder&) {
  if (i.opcode() != Opcode::checkIndex) return nullptr;
  const Instruction* x = match(i.operand(0), Opcode::checkIndex);
  if (x == nullptr) return nullptr;
  const bool within = provably_at_most(i.extents(0)[0], x->extents(0)[0]) == Proof::yes &&
                      provably_at_most(x->extents(1)[0], i.extents(1)[0]) == Proof::yes;
  return within ? i.operand(0) : nullptr;
}

Value* detach(Instruction& i, Builder&) { return i.opcode() == Opcode::detach ? i.operand(0) : nullptr; }

constexpr RewriteRule rules[]{reduce_nothing, extract_literal, extract_inserted, insert_to_literal,
                              check_again};
constexpr RewriteRule canonical[]{detach};

}  // namespace

std::span<const RewriteRule> aggregate_rules() { return rules; }
std::span<const RewriteRule> canonical_rules() { return canonical; }

}  // namespace dlvm::algebra
