#include <algorithm>

#include "dlvm/ir/instruction_views.h"
#include "dlvm/transform/algebra_rules.h"

namespace dlvm::algebra {
namespace {

/// The axes have one element each: what is left of a reduction is one combination with the initial value.
Value* reduce_nothing(Instruction& i, Builder& b) {
  const Reduce reduce(i);
  if (reduce.combinator().function != nullptr) return nullptr;
  const Shape& shape = reduce.input()->type().shape();
  for (const auto axis : reduce.axes())
    if (!shape[static_cast<std::size_t>(axis)].is(1)) return nullptr;
  Value* x = b.shape_cast(reduce.input(), i.type().shape());
  return b.binary(reduce.combinator().opcode, reduce.initial(), x);
}

// Aggregates.
Value* extract_row(Instruction& i, Builder&) {
  const auto row = as<ExtractRow>(i);
  const auto stacked = row ? as<Stacked>(row.tensor()) : Stacked();
  return stacked ? stacked.elements()[row.position()] : nullptr;
}
Value* extract_literal(Instruction& i, Builder& b) {
  const auto extract = as<Extract>(i);
  if (!extract) return nullptr;
  if (const Literal* whole = as_literal(extract.aggregate()))
    return b.function().literal(i.type(), whole->form());
  const auto x = as<Composite>(extract.aggregate());
  return x ? x.components()[extract.position()] : nullptr;
}
Value* extract_inserted(Instruction& i, Builder& b) {
  const Extract extract(i);
  const auto x = as<Insert>(extract.aggregate());
  if (!x) return nullptr;
  if (x.position() == extract.position()) return x.element();
  return b.extract(x.aggregate(), static_cast<std::int64_t>(extract.position()));
}
Value* insert_to_literal(Instruction& i, Builder& b) {
  const Insert insert(i);
  const Instruction* x = match(insert.aggregate(), Opcode::literal);
  if (x == nullptr) return nullptr;
  std::vector<Value*> elements = x->operands();
  elements[insert.position()] = insert.element();
  return b.aggregate(i.type(), std::move(elements));
}

/// Indices that a check with the same bounds, or narrower ones, has passed.
Value* check_again(Instruction& i, Builder&) {
  const CheckIndex check(i);
  const auto x = as<CheckIndex>(check.indices());
  if (!x) return nullptr;
  const bool within = provably_at_most(check.first(), x.first()) == Proof::yes &&
                      provably_at_most(x.end(), check.end()) == Proof::yes;
  return within ? check.indices() : nullptr;
}

Value* detach(Instruction& i, Builder&) { return i.operand(0); }

constexpr RewriteRule rules[]{
    {{Opcode::reduce}, reduce_nothing},    {{Opcode::extract}, extract_literal},
    {{Opcode::extract}, extract_inserted}, {{Opcode::insert}, insert_to_literal},
    {{Opcode::extract}, extract_row},      {{Opcode::checkIndex}, check_again},
};
constexpr RewriteRule canonical[]{
    {{Opcode::detach}, detach},
};

}  // namespace

std::span<const RewriteRule> aggregate_rules() { return rules; }
std::span<const RewriteRule> canonical_rules() { return canonical; }

}  // namespace dlvm::algebra
