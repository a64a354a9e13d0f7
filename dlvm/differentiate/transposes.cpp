#include "dlvm/differentiate/transposes.h"

#include <algorithm>
#include <numeric>

#include "dlvm/ir/instruction_views.h"

namespace dlvm::transposes {

#define TRANSPOSE(name)                                                                               \
  Value* name(Builder& b, [[maybe_unused]] Instruction& primal, [[maybe_unused]] std::size_t operand, \
              Value* cotangent)

namespace {

using Axis = std::size_t;

const Type& type_of(const Instruction& primal, std::size_t operand) {
  return primal.operand(operand)->type();
}

/// `x` with axis `axis` cut to [from, upto).
Value* cut(Builder& b, Value* x, Axis axis, const Extent& from, const Extent& upto) {
  Shape first(x->type().rank()), end = x->type().shape();
  first[axis] = from;
  end[axis] = upto;
  return b.slice(x, std::move(first), std::move(end));
}

/// Element k of `axis` goes to from + step k of an axis of extent `whole`; zeros between. By way of a matrix
/// of n rows of an element and step - 1 zeros, so that only views are needed.
Value* spread(Builder& b, Value* x, Axis axis, const Extent& from, std::int64_t step, const Extent& whole) {
  const auto at = static_cast<std::int64_t>(axis) + 1;
  Value* zero = b.constant(x->type().element(), 0);
  Shape flat = x->type().shape();
  flat[axis] = flat[axis] * Extent(step);
  ExtentPairs rows(x->type().rank() + 1), ends(x->type().rank());
  rows[axis + 1].second = Extent(step - 1);
  ends[axis] = {from, whole - from};
  Value* spaced = b.shape_cast(b.pad(b.pad_shape(x, at), std::move(rows), zero), std::move(flat));
  return cut(b, b.pad(spaced, std::move(ends), zero), axis, 0, whole);
}

/// `x` transposed so that axis i of the result is the axis of `x` at which `names` says i.
Value* in_order(Builder& b, Value* x, const Integers& names) {
  Integers permutation(names.size());
  for (std::size_t i = 0; i < names.size(); ++i)
    permutation[static_cast<std::size_t>(names[i])] = static_cast<std::int64_t>(i);
  return std::is_sorted(permutation.begin(), permutation.end()) ? x : b.transpose(x, std::move(permutation));
}

Integers range(std::size_t first, std::size_t count) {
  Integers axes(count);
  std::iota(axes.begin(), axes.end(), static_cast<std::int64_t>(first));
  return axes;
}

/// Whether the rows of one matrix are multiplied by the columns of another.
bool is_matrix_product(const Instruction& dot, const DotAxes& axes) {
  return dot.operand(0)->type().rank() == 2 && dot.operand(1)->type().rank() == 2 && axes.batch.empty() &&
         axes.contract == AxisPairs{{1, 0}};
}

AxisPairs zip(const Integers& left, const Integers& right) {
  AxisPairs pairs;
  for (std::size_t i = 0; i < left.size(); ++i) pairs.emplace_back(left[i], right[i]);
  return pairs;
}

}  // namespace

TRANSPOSE(select) {
  Value* zero = b.constant(cotangent->type().element(), 0);
  Value* condition = primal.operand(2);
  Value* masked = operand == 0 ? b.select(cotangent, zero, condition) : b.select(zero, cotangent, condition);
  return unbroadcast(b, masked, type_of(primal, operand));
}

TRANSPOSE(cast) {
  const ElementType to = type_of(primal, operand).element();
  if (to == cotangent->type().element()) return cotangent;
  if (const Literal* literal = as_literal(cotangent); literal != nullptr && literal->splat())
    return b.splat(type_of(primal, operand), *literal->splat());
  return b.cast(cotangent, to);
}

TRANSPOSE(reshape) {
  const Shape& shape = type_of(primal, operand).shape();
  if (const Literal* literal = as_literal(cotangent); literal != nullptr && literal->splat())
    return b.splat(type_of(primal, operand), *literal->splat());
  return b.shape_cast(cotangent, shape);
}

TRANSPOSE(transpose) { return in_order(b, cotangent, Transpose(primal).permutation()); }

TRANSPOSE(reverse) { return b.reverse(cotangent, Reverse(primal).axes()); }

TRANSPOSE(slice) {
  const Slice slice(primal);
  const Shape &whole = slice.input()->type().shape(), &from = slice.first(), &upto = slice.end();
  ExtentPairs amounts(whole.size());
  Value* out = cotangent;
  for (Axis i = 0; i < whole.size(); ++i) {
    if (slice.step(i) != 1)
      out = spread(b, out, i, from[i], slice.step(i), whole[i]);
    else
      amounts[i] = {from[i], whole[i] - upto[i]};
  }
  const auto none = [](const auto& amount) { return amount.first.is(0) && amount.second.is(0); };
  if (std::all_of(amounts.begin(), amounts.end(), none)) return out;
  return b.pad(out, std::move(amounts), b.constant(out->type().element(), 0));
}

TRANSPOSE(concatenate) {
  const Axis axis = Concatenate(primal).axis();
  Extent from;
  for (std::size_t i = 0; i < operand; ++i) from = from + type_of(primal, i).shape()[axis];
  return cut(b, cotangent, axis, from, from + type_of(primal, operand).shape()[axis]);
}

/// Of the fill: what lies outside, summed without what lies inside, so that nothing cancels.
TRANSPOSE(pad) {
  const auto& amounts = Pad(primal).amounts();
  const Shape& inner = type_of(primal, 0).shape();
  if (operand == 0) {
    Shape from, upto;
    for (Axis i = 0; i < inner.size(); ++i) {
      from.push_back(amounts[i].first);
      upto.push_back(amounts[i].first + inner[i]);
    }
    return b.slice(cotangent, std::move(from), std::move(upto));
  }
  const Type mask = Type::tensor(ElementType::boolean, inner);
  Value* outside = b.pad(b.splat(mask, 0), amounts, b.constant(ElementType::boolean, 1));
  Value* zero = b.constant(cotangent->type().element(), 0);
  return b.sum(b.select(cotangent, zero, outside), range(0, inner.size()));
}

TRANSPOSE(broadcast) { return unbroadcast(b, cotangent, type_of(primal, 0)); }

TRANSPOSE(gather) {
  const Gather gather(primal);
  const auto indices = gather.indices();
  return b.scatter(cotangent, zeros(b, gather.input()->type()), {indices.begin(), indices.end()},
                   {Opcode::add, nullptr}, gather.axes());
}

/// The cotangent, whose axes are batch, left free, right free, contracted with the other operand over that
/// one's free axes; then into the order of this operand's axes. Of a product Z = X Y of matrices these are
/// X' = Z' Y^T and Y' = X^T Z', and are written so.
TRANSPOSE(dot) {
  const DotAxes axes = Dot(primal).axes();
  if (is_matrix_product(primal, axes)) {
    Value* transposed = b.create(Opcode::transpose, {primal.operand(1 - operand)}, {Attribute()});
    return operand == 0 ? b.create(Opcode::dot, {cotangent, transposed}, {Attribute(), Attribute()})
                        : b.create(Opcode::dot, {transposed, cotangent}, {Attribute(), Attribute()});
  }
  const std::size_t batch = axes.batch.size(), left_free = axes.left_free.size();
  const Integers cotangent_batch = range(0, batch), cotangent_left = range(batch, left_free),
                 cotangent_right = range(batch + left_free, axes.right_free.size());
  const bool of_left = operand == 0;
  Integers this_batch, other_batch;
  for (const auto& [l, r] : axes.batch) {
    this_batch.push_back(of_left ? l : r);
    other_batch.push_back(of_left ? r : l);
  }
  AxisPairs contracted = axes.contract;
  std::sort(contracted.begin(), contracted.end(),
            [&](const auto& x, const auto& y) { return of_left ? x.second < y.second : x.first < y.first; });
  // This operand's axis behind each axis of the product.
  Integers names = this_batch;
  const auto append = [&](const Integers& more) { names.insert(names.end(), more.begin(), more.end()); };
  const auto append_contracted = [&] {
    for (const auto& [l, r] : contracted) names.push_back(of_left ? l : r);
  };
  if (of_left) {
    append(axes.left_free);
    append_contracted();
    Value* product = b.dot(cotangent, primal.operand(1), zip(cotangent_right, axes.right_free),
                           zip(cotangent_batch, other_batch));
    return in_order(b, product, names);
  }
  append_contracted();
  append(axes.right_free);
  Value* product = b.dot(primal.operand(0), cotangent, zip(axes.left_free, cotangent_left),
                         zip(other_batch, cotangent_batch));
  return in_order(b, product, names);
}

#undef TRANSPOSE

}  // namespace dlvm::transposes
