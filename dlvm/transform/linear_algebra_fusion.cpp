#include "dlvm/transform/linear_algebra_fusion.h"

#include <algorithm>

#include "dlvm/ir/instruction_views.h"
#include "dlvm/transform/rewrite.h"

namespace dlvm {
namespace {

/// Gives what replaces an instruction its name.
Value* named(Value* value, const Instruction& replaced) {
  value->set_name(replaced.name());
  return value;
}

std::int64_t& side(std::pair<std::int64_t, std::int64_t>& axes, std::size_t operand) {
  return operand == 0 ? axes.first : axes.second;
}

/// `dot(transpose(x), y)` reads the axes of x. The free axes must keep their order, which is that of the
/// result.
Value* dot_of_transpose(Instruction& i, Builder& b) {
  for (std::size_t operand = 0; operand < 2; ++operand) {
    const auto transpose = as<Transpose>(i.operand(operand));
    if (!transpose) continue;
    const Integers permutation = transpose.permutation();
    DotAxes axes = Dot(i).axes();
    Integers& free = operand == 0 ? axes.left_free : axes.right_free;
    for (std::int64_t& axis : free) axis = permutation[static_cast<std::size_t>(axis)];
    if (!std::ranges::is_sorted(free)) continue;
    for (AxisPairs* pairs : {&axes.contract, &axes.batch})
      for (auto& pair : *pairs)
        side(pair, operand) = permutation[static_cast<std::size_t>(side(pair, operand))];
    Value* operands[]{i.operand(0), i.operand(1)};
    operands[operand] = transpose.input();
    return named(b.dot(operands[0], operands[1], axes.contract, axes.batch), i);
  }
  return nullptr;
}

/// `transpose(dot(x, y))` is `dot(y, x)` where it puts the free axes of y before those of x.
Value* transpose_of_dot(Instruction& i, Builder& b) {
  const Transpose transpose(i);
  const auto dot = as<Dot>(transpose.input());
  if (!dot || transpose.input()->users().size() != 1) return nullptr;
  DotAxes axes = dot.axes();
  const std::size_t batch = axes.batch.size(), left = axes.left_free.size(), rank = i.type().rank();
  const Integers permutation = transpose.permutation();
  for (std::size_t at = 0; at < rank; ++at) {
    const std::size_t exchanged = at < batch ? at : at < rank - left ? at + left : at - (rank - batch - left);
    if (permutation[at] != static_cast<std::int64_t>(exchanged)) return nullptr;
  }
  for (AxisPairs* pairs : {&axes.contract, &axes.batch})
    for (auto& [l, r] : *pairs) std::swap(l, r);
  return named(b.dot(dot.right(), dot.left(), axes.contract, axes.batch), i);
}

bool same_axes(const Dot& a, const Dot& b) {
  const DotAxes x = a.axes(), y = b.axes();
  return x.contract == y.contract && x.batch == y.batch && x.left_free == y.left_free &&
         x.right_free == y.right_free;
}

/// Returns the products that nothing else uses, of the same axes and with one operand shared; none if there
/// are others among the values. `shared` is the number of that operand.
std::vector<Dot> products_sharing(std::span<Value* const> values, std::size_t& shared) {
  std::vector<Dot> dots;
  for (const Value* value : values) {
    const auto dot = as<Dot>(value);
    if (!dot || value->users().size() != 1 || (!dots.empty() && !same_axes(dots[0], dot))) return {};
    dots.push_back(dot);
  }
  for (shared = 0; shared < 2; ++shared) {
    const Value* operand = dots[0].instruction().operand(shared);
    const auto shares = [&](const Dot& dot) { return dot.instruction().operand(shared) == operand; };
    if (std::ranges::all_of(dots, shares)) return dots;
  }
  return {};
}

Value* product_like(Builder& b, const Dot& dot, std::size_t shared, Value* other) {
  const DotAxes axes = dot.axes();
  return shared == 0 ? b.dot(dot.left(), other, axes.contract, axes.batch)
                     : b.dot(other, dot.right(), axes.contract, axes.batch);
}

/// Returns the axis of the operand that is not shared behind an axis of the product; nothing if it is of the
/// other operand, or of the batch.
std::optional<std::int64_t> free_axis(const DotAxes& axes, std::size_t shared, std::size_t axis) {
  const Integers& free = shared == 0 ? axes.right_free : axes.left_free;
  const std::size_t before = axes.batch.size() + (shared == 0 ? axes.left_free.size() : 0);
  if (axis < before || axis - before >= free.size()) return std::nullopt;
  return free[axis - before];
}

/// concatenate(dot(a, w), dot(b, w)) is dot(concatenate(a, b), w), unless the operands are certainly larger
/// than the products.
Value* concatenate_of_dots(Instruction& i, Builder& b) {
  if (i.operands().size() < 2) return nullptr;
  std::size_t shared = 0;
  const auto dots = products_sharing(i.operands(), shared);
  if (dots.empty()) return nullptr;
  const auto axis = free_axis(dots[0].axes(), shared, Concatenate(i).axis());
  if (!axis) return nullptr;
  std::vector<Value*> others;
  Extent elements = 0;
  for (const Dot& dot : dots) {
    others.push_back(dot.instruction().operand(1 - shared));
    elements = elements + unit_count(others.back()->type().shape());
  }
  const Extent results = unit_count(i.type().shape());
  const bool is_larger =
      provably_at_most(results, elements) == Proof::yes && provably_at_most(elements, results) != Proof::yes;
  if (is_larger) return nullptr;
  return named(product_like(b, dots[0], shared, b.concatenate(std::move(others), *axis)), i);
}

/// dot(a, w) + dot(b, w) is dot(a + b, w) where arithmetic wraps.
Value* sum_of_dots(Instruction& i, Builder& b) {
  if (!is_integer(i.type().element())) return nullptr;
  std::size_t shared = 0;
  const auto dots = products_sharing(i.operands(), shared);
  if (dots.empty()) return nullptr;
  Value *left = dots[0].instruction().operand(1 - shared), *right = dots[1].instruction().operand(1 - shared);
  if (!(left->type() == right->type())) return nullptr;
  return named(product_like(b, dots[0], shared, b.binary(i.opcode(), left, right)), i);
}

constexpr RewriteRule rules[]{
    {{Opcode::dot}, dot_of_transpose},
    {{Opcode::transpose}, transpose_of_dot},
    {{Opcode::concatenate}, concatenate_of_dots},
    {{Opcode::add, Opcode::subtract}, sum_of_dots},
};

}  // namespace

bool linear_algebra_fusion(Function& function) { return rewrite(function, rules); }

}  // namespace dlvm
