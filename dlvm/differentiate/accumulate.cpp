#include "dlvm/differentiate/accumulate.h"

#include <algorithm>

#include "dlvm/analysis/dominators.h"
#include "dlvm/ir/instruction_views.h"

namespace dlvm {
namespace {

/// The view of a tensor padded with zeros; none for other values.
Pad padded_with_zeros(const Value* value) {
  const auto pad = as<Pad>(value);
  const Literal* fill = pad ? as_literal(pad.fill()) : nullptr;
  return fill != nullptr && fill->splat() == 0.0 ? pad : Pad();
}

/// Returns the only axis along which the amounts differ; nothing if there are several, or none.
std::optional<std::size_t> only_difference(const ExtentPairs& a, const ExtentPairs& b) {
  std::optional<std::size_t> found;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] == b[i]) continue;
    if (found) return std::nullopt;
    found = i;
  }
  return found;
}

/// Adds what a value is the concatenation of.
void add_parts(Value* value, std::size_t axis, std::vector<Value*>& parts) {
  const auto joined = as<Concatenate>(value);
  if (joined && joined.axis() == axis)
    parts.insert(parts.end(), joined.inputs().begin(), joined.inputs().end());
  else
    parts.push_back(value);
}

/// Concatenates the parts if `first` ends where `second` begins; null if it does not.
Value* joined(Builder& builder, const Pad& first, const Pad& second, std::size_t axis) {
  if (first.amounts()[axis].first + first.input()->type().shape()[axis] != second.amounts()[axis].first)
    return nullptr;
  std::vector<Value*> parts;
  add_parts(first.input(), axis, parts);
  add_parts(second.input(), axis, parts);
  Value* whole = builder.concatenate(std::move(parts), static_cast<std::int64_t>(axis));
  ExtentPairs amounts = first.amounts();
  amounts[axis].second = second.amounts()[axis].second;
  const auto is_nothing = [](const auto& pair) { return pair.first.is(0) && pair.second.is(0); };
  return std::ranges::all_of(amounts, is_nothing) ? whole
                                                  : builder.pad(whole, std::move(amounts), first.fill());
}

/// The sum of a cotangent that was there before the block, and what was gathered from the value: into the
/// former, so that a loop does not go over all of it each time round. Null where it is something else.
Value* scattered_into(Builder& builder, Value* sum, Value* more) {
  const BasicBlock* home = defining_block(sum);
  const bool is_argument = as_argument(sum) != nullptr;
  const BasicBlock* excluded = is_argument ? &builder.function().entry() : &builder.block();
  const auto scatter = as<Scatter>(more);
  if (home == nullptr || home == excluded || !scatter) return nullptr;
  const Literal* onto = as_literal(scatter.input());
  if (onto == nullptr || onto->splat() != 0.0 || !more->users().empty() ||
      !scatter.combinator().is(Opcode::add))
    return nullptr;
  return builder.scatter(scatter.updates(), sum, {scatter.indices().begin(), scatter.indices().end()},
                         scatter.combinator(), scatter.axes());
}

/// The two as one part of the value that both are parts of; null if they are no neighbours.
Value* joined(Builder& builder, Value* a, Value* b) {
  const Pad x = padded_with_zeros(a), y = padded_with_zeros(b);
  const auto axis = x && y ? only_difference(x.amounts(), y.amounts()) : std::nullopt;
  if (!axis) return nullptr;
  Value* parts = joined(builder, x, y, *axis);
  return parts != nullptr ? parts : joined(builder, y, x, *axis);
}

/// The sum of the two where `more` is a neighbour of an addend of `sum`, which nothing else uses; null if it
/// is none of the last few.
Value* joined_in_sum(Builder& builder, Value* sum, Value* more, int left) {
  if (Value* parts = joined(builder, sum, more)) return parts;
  const Instruction* add = match(sum, Opcode::add);
  if (add == nullptr || left == 0 || add->users().size() > 1) return nullptr;
  for (const std::size_t i : {1, 0})
    if (Value* parts = joined_in_sum(builder, add->operand(i), more, left - 1))
      return accumulated(builder, add->operand(1 - i), parts);
  return nullptr;
}

constexpr int max_addends = 8;

}  // namespace

Value* accumulated(Builder& builder, Value* a, Value* b) {
  if (Value* scattered = scattered_into(builder, a, b)) return scattered;
  const bool may_change = a->users().empty();
  Value* parts = may_change ? joined_in_sum(builder, a, b, max_addends) : joined(builder, a, b);
  return parts != nullptr ? parts : builder.add(a, b);
}

}  // namespace dlvm
