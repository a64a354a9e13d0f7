#include <algorithm>

#include "dlvm/ir/instruction_views.h"
#include "dlvm/transform/algebra_rules.h"

namespace dlvm::algebra {
namespace {

/// The axes have one element each: what is left of a reduction is one combination with the initial value.
Value* reduce_nothing(Instruction& i, Builder& b) {
  const auto reduce = as<Reduce>(i);
  if (!reduce || reduce.combinator().function != nullptr) return nullptr;
  const Shape& shape = reduce.input()->type().shape();
  for (const auto axis : reduce.axes())
    if (!shape[static_cast<std::size_t>(axis)].is(1)) return nullptr;
  Value* x = b.shape_cast(reduce.input(), i.type().shape());
  return b.binary(reduce.combinator().opcode, reduce.initial(), x);
}

// Tuples.
Value* extract_literal(Instruction& i, Builder&) {
  const auto extract = as<Extract>(i);
  const Instruction* x = extract ? match(extract.aggregate(), Opcode::literal) : nullptr;
  return x != nullptr ? x->operand(extract.position()) : nullptr;
}
Value* extract_inserted(Instruction& i, Builder& b) {
  const auto extract = as<Extract>(i);
  const auto x = extract ? as<Insert>(extract.aggregate()) : Insert();
  if (!x) return nullptr;
  if (x.position() == extract.position()) return x.element();
  return b.extract(x.aggregate(), static_cast<std::int64_t>(extract.position()));
}
Value* insert_to_literal(Instruction& i, Builder& b) {
  const auto insert = as<Insert>(i);
  const Instruction* x = insert ? match(insert.aggregate(), Opcode::literal) : nullptr;
  if (x == nullptr) return nullptr;
  std::vector<Value*> elements = x->operands();
  elements[insert.position()] = insert.element();
  return b.tuple(std::move(elements));
}

/// Indices that a check with the same bounds, or narrower ones, has passed.
Value* check_again(Instruction& i, Builder&) {
  const auto check = as<CheckIndex>(i);
  const auto x = check ? as<CheckIndex>(check.indices()) : CheckIndex();
  if (!x) return nullptr;
  const bool within = provably_at_most(check.first(), x.first()) == Proof::yes &&
                      provably_at_most(x.end(), check.end()) == Proof::yes;
  return within ? check.indices() : nullptr;
}

Value* detach(Instruction& i, Builder&) { return i.opcode() == Opcode::detach ? i.operand(0) : nullptr; }

constexpr RewriteRule rules[]{reduce_nothing, extract_literal, extract_inserted, insert_to_literal,
                              check_again};
constexpr RewriteRule canonical[]{detach};

}  // namespace

std::span<const RewriteRule> aggregate_rules() { return rules; }
std::span<const RewriteRule> canonical_rules() { return canonical; }

}  // namespace dlvm::algebra
