#include "dlvm/differentiate/reductions.h"

#include <algorithm>

#include "dlvm/analysis/elementwise_function.h"
#include "dlvm/differentiate/transposes.h"
#include "dlvm/ir/identity.h"
#include "dlvm/ir/instruction_views.h"

namespace dlvm::transposes {
namespace {

using reductions::combinator_partials;
using reductions::is_extremum;
using reductions::is_identity;
using reductions::is_sum;

Integers without(std::size_t rank, Integers axes) {
  Integers rest;
  for (std::size_t i = 0; i < rank; ++i)
    if (std::find(axes.begin(), axes.end(), static_cast<std::int64_t>(i)) == axes.end())
      rest.push_back(static_cast<std::int64_t>(i));
  return rest;
}

/// A value of a reduction's result put beside each element that went into it.
Value* unreduced(Builder& b, Value* value, const Shape& shape, const Integers& axes) {
  if (value->type().is_scalar()) return stretched(b, value, shape);
  if (const Literal* literal = as_literal(value); literal != nullptr && literal->is_splat())
    return stretched(b, value, shape);
  Shape kept = shape;
  for (const auto axis : axes) kept[static_cast<std::size_t>(axis)] = 1;
  return stretched(b, b.shape_cast(value, std::move(kept)), shape);
}

/// `x` with `axes` moved to the end, in order, as one; and back.
struct Gathered {
  Integers permutation;
  Shape shape;  ///< after the permutation
  bool moved;
};
Value* gathered(Builder& b, Value* x, Integers axes, Gathered& how) {
  std::sort(axes.begin(), axes.end());
  const std::size_t rank = x->type().rank();
  how.permutation = without(rank, axes);
  const std::size_t kept = how.permutation.size();
  how.permutation.insert(how.permutation.end(), axes.begin(), axes.end());
  how.moved = !std::is_sorted(how.permutation.begin(), how.permutation.end());
  if (how.moved) x = b.transpose(x, how.permutation);
  how.shape = x->type().shape();
  Shape flat(how.shape.begin(), how.shape.begin() + static_cast<std::ptrdiff_t>(kept));
  flat.push_back(unit_count(Shape(how.shape.begin() + static_cast<std::ptrdiff_t>(kept), how.shape.end())));
  return b.shape_cast(x, std::move(flat));
}
Value* scattered(Builder& b, Value* x, const Gathered& how) {
  x = b.shape_cast(x, how.shape);
  if (!how.moved) return x;
  Integers inverse(how.permutation.size());
  for (std::size_t i = 0; i < inverse.size(); ++i)
    inverse[static_cast<std::size_t>(how.permutation[i])] = static_cast<std::int64_t>(i);
  return b.transpose(x, std::move(inverse));
}

/// Along the axis: `first`, then the elements of `x` but the last. Right for an empty axis too.
Value* shifted(Builder& b, Value* x, Value* first, std::int64_t axis) {
  const Shape shape = x->type().shape();
  ExtentPairs amounts(shape.size());
  amounts[static_cast<std::size_t>(axis)].first = 1;
  return b.slice(b.pad(x, std::move(amounts), first), Shape(shape.size()), shape);
}

std::int64_t last_axis(const Value* x) { return static_cast<std::int64_t>(x->type().rank()) - 1; }

/// The cotangents of the states of a recurrence, of which each is a function of the one before with the
/// partial `by_state`: g(k) = cotangent(k) + by_state(k + 1) g(k + 1), a recurrence from the end.
Value* state_cotangents(Builder& b, Value* cotangent, Value* by_state, std::int64_t axis) {
  Value* zero = b.constant(cotangent->type().element(), 0);
  Value* factors = shifted(b, b.reverse(by_state, {axis}), zero, axis);
  return b.reverse(b.create(Opcode::recurrence, {factors, b.reverse(cotangent, {axis})}, {Integers{axis}}),
                   {axis});
}

/// Along the last axis, the product of all elements after each.
Value* product_after(Builder& b, Value* x) {
  const std::int64_t last = last_axis(x);
  Value* products = b.scan(b.reverse(x, {last}), {Opcode::multiply, nullptr}, last);
  return b.reverse(shifted(b, products, b.constant(x->type().element(), 1), last), {last});
}

/// Each element that equals the extremum has an equal share of its cotangent; the initial value too, unless
/// it is the identity.
Value* reduce_extremum(Builder& b, Instruction& primal, std::size_t operand, Value* cotangent) {
  Value *x = primal.operand(0), *init = primal.operand(1);
  const ElementType element = x->type().element();
  const Integers& axes = primal.axes();
  Value *one = b.constant(element, 1), *zero = b.constant(element, 0);
  Value* attains = b.binary(Opcode::equal, x, unreduced(b, &primal, x->type().shape(), axes));
  Value* count = b.sum(b.select(one, zero, attains), axes);
  Value* initial = b.binary(Opcode::equal, init, &primal);
  if (!is_identity(primal.combinator(), init)) count = b.add(count, b.select(one, zero, initial));
  Value* share = b.divide(cotangent, count);
  if (operand == 0) return b.select(unreduced(b, share, x->type().shape(), axes), zero, attains);
  return unbroadcast(b, b.select(share, zero, initial), init->type());
}

/// The elements taken one by one, s(k) = f(s(k - 1), x(k)) from s(-1) = init: the derivative by x(k) is the
/// partial by x of f there, times the partials by s of all steps after it. Products of scans, not quotients,
/// so that a zero among the factors is nothing special.
Value* reduce_steps(Builder& b, Instruction& primal, std::size_t operand, Value* cotangent) {
  const Combinator& by = primal.combinator();
  Gathered how;
  Value *x = gathered(b, primal.operand(0), primal.axes(), how), *init = primal.operand(1);
  Value* states = b.scan(x, by, last_axis(x));
  if (!is_identity(by, init))
    states = stretched(b, reductions::combine(b, by, init, states), x->type().shape());
  const auto [by_state, by_x] = combinator_partials(b, by, shifted(b, states, init, last_axis(x)), x);
  Value* rest = product_after(b, by_state);
  if (operand == 1) {
    Value* one = b.constant(x->type().element(), 1);
    Value* all = b.reduce(by_state, {Opcode::multiply, nullptr}, one, {last_axis(x)});
    return unbroadcast(b, scaled(b, cotangent, Expression{&b, all}), init->type());
  }
  Value* beside = unreduced(b, cotangent, x->type().shape(), {last_axis(x)});
  Value* result = scaled(b, beside, Expression{&b, b.multiply(by_x, rest)});
  return scattered(b, result, how);
}

/// s(k) = f(s(k - 1), x(k)) from s(0) = x(0): the cotangents of the states are a recurrence, and that of x(k)
/// is the partial by x of f at k times that of s(k).
Value* scan_steps(Builder& b, Instruction& primal, Value* cotangent) {
  Value* x = primal.operand(0);
  const std::int64_t axis = primal.axes()[0];
  const ElementType element = x->type().element();
  auto [by_state, by_x] =
      combinator_partials(b, primal.combinator(), shifted(b, &primal, b.constant(element, 0), axis), x);
  Value* position = b.iota(x->type().shape(), axis, ElementType::i64);
  Value* is_first = b.binary(Opcode::equal, position, b.constant(ElementType::i64, 0));
  by_x = b.select(b.constant(element, 1), by_x, is_first);
  return scaled(b, state_cotangents(b, cotangent, by_state, axis), Expression{&b, by_x});
}

}  // namespace

std::string_view combinator_unknown(const Instruction& instruction) {
  const Function* function = instruction.combinator().function;
  if (function != nullptr && !is_elementwise(*function))
    return "the combinator is not made of elementwise instructions alone";
  return {};
}

Value* reduce(Builder& b, Instruction& primal, std::size_t operand, Value* cotangent) {
  const Combinator& by = primal.combinator();
  if (is_sum(by))
    return operand == 0 ? unreduced(b, cotangent, primal.operand(0)->type().shape(), primal.axes())
                        : unbroadcast(b, cotangent, primal.operand(1)->type());
  if (is_extremum(by)) return reduce_extremum(b, primal, operand, cotangent);
  return reduce_steps(b, primal, operand, cotangent);
}

Value* scan(Builder& b, Instruction& primal, std::size_t, Value* cotangent) {
  if (!is_sum(primal.combinator())) return scan_steps(b, primal, cotangent);
  const Integers& axis = primal.axes();
  return b.reverse(b.scan(b.reverse(cotangent, axis), primal.combinator(), axis[0]), axis);
}

Value* recurrence(Builder& b, Instruction& primal, std::size_t operand, Value* cotangent) {
  const Recurrence view(primal);
  const auto axis = static_cast<std::int64_t>(view.axis());
  Value* by_term = state_cotangents(b, cotangent, view.factors(), axis);
  if (operand == 1) return by_term;
  Value* zero = b.constant(cotangent->type().element(), 0);
  return scaled(b, by_term, Expression{&b, shifted(b, &primal, zero, axis)});
}

}  // namespace dlvm::transposes
