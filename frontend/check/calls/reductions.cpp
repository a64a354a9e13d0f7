// Functions that combine the elements along axes.
#include <algorithm>
#include <numeric>
#include <optional>

#include "frontend/check/calls/builtins.h"
#include "frontend/check/diagnostics/type_diagnostics.h"
#include "frontend/check/expressions/operators.h"
#include "frontend/check/expressions/values.h"
#include "frontend/check/types/elements.h"
#include "frontend/check/types/extents.h"
#include "frontend/check/types/spelling.h"

namespace frontend::check {
namespace {

using dlvm::Integers;
using dlvm::Opcode;

/// The axes of `along`, in ascending order; all where it is not given.
std::optional<Integers> reduced_axes(BodyContext& context, const BuiltinCall& call) {
  const std::size_t rank = call.value(0)->type.rank();
  const BuiltinArgument& along = call.arguments[1];
  Integers axes(rank);
  std::iota(axes.begin(), axes.end(), std::int64_t{0});
  if (!along.given) return axes;
  axes.clear();
  for (const std::int64_t written : along.integers) {
    const auto axis = counted_axis(context, written, rank, along.location);
    if (!axis) return std::nullopt;
    if (std::find(axes.begin(), axes.end(), *axis) != axes.end()) {
      context.diagnostics.report(axis_twice, along.location, *axis);
      return std::nullopt;
    }
    axes.push_back(*axis);
  }
  std::sort(axes.begin(), axes.end());
  return axes;
}

/// One axis; the last where it is not given.
std::optional<std::int64_t> one_axis(BodyContext& context, const BuiltinCall& call) {
  const BuiltinArgument& along = call.arguments[1];
  return counted_axis(context, along.given ? along.integers[0] : -1, call.value(0)->type.rank(),
                      along.given ? along.location : call.location);
}

Node* reduce(BodyContext& context, Node* x, Opcode opcode, const Integers& axes, Location location) {
  if (x == nullptr || axes.empty()) return x;
  Node initial;
  initial.kind = Node::Kind::identity;
  initial.opcode = opcode;
  initial.type.element = x->type.element;
  initial.location = location;
  return make_operation(context, Opcode::reduce, {x, add_node(context, std::move(initial))},
                        {dlvm::Combinator{opcode, nullptr}, axes}, location);
}

/// The reduced tensor with its axes back, of extent 1.
Node* kept(BodyContext& context, Node* reduced, const Shape& whole, const Integers& axes, Location location) {
  if (reduced == nullptr) return nullptr;
  Shape shape = whole;
  for (const auto axis : axes) shape[static_cast<std::size_t>(axis)] = Extent(1);
  return make_reshape(context, reduced, std::move(shape), location);
}

Extent count(const Shape& shape, const Integers& axes) {
  Extent n(1);
  for (const auto axis : axes) n = n * shape[static_cast<std::size_t>(axis)];
  return n;
}

bool is_narrow_float(const BodyContext& context, const Node* x) {
  const Element element = resolved(context, x->type.element);
  return element.known() && dlvm::is_floating(element.type) && dlvm::info(element.type).bytes == 2;
}

/// Computes in float32 what would overflow in 16 bits, though its result does not.
template <typename Compute>
Node* widened(BodyContext& context, Node* x, Location location, Compute compute) {
  if (x == nullptr || !is_narrow_float(context, x)) return compute(x);
  const ElementType narrow = resolved(context, x->type.element).type;
  return make_conversion(context, compute(make_conversion(context, x, ElementType::f32, location)), narrow,
                         location);
}

Node* mean_of(BodyContext& context, Node* x, const Integers& axes, Location location) {
  if (x == nullptr) return nullptr;
  Node* n = make_extent_value(context, count(x->type.shape, axes), location, x->type.element);
  return make_elementwise(context, Opcode::divide, reduce(context, x, Opcode::add, axes, location), n, "mean",
                          location);
}

}  // namespace

namespace make {

Node* reduction(BodyContext& context, const BuiltinCall& call) {
  Node* x = call.value(0);
  const auto axes = reduced_axes(context, call);
  if (!axes || !require_accepted(context, call.builtin.opcode, x, call.builtin.name, call.location))
    return nullptr;
  Node* result = reduce(context, x, call.builtin.opcode, *axes, call.location);
  return call.flag(2) ? kept(context, result, x->type.shape, *axes, call.location) : result;
}

Node* mean(BodyContext& context, const BuiltinCall& call) {
  Node* x = call.value(0);
  const auto axes = reduced_axes(context, call);
  if (!axes || !require_accepted(context, Opcode::exp, x, "mean", call.location)) return nullptr;
  Node* result = widened(context, x, call.location,
                         [&](Node* wide) { return mean_of(context, wide, *axes, call.location); });
  return call.flag(2) ? kept(context, result, x->type.shape, *axes, call.location) : result;
}

Node* variance(BodyContext& context, const BuiltinCall& call) {
  Node* x = call.value(0);
  const auto axes = reduced_axes(context, call);
  if (!axes || !require_accepted(context, Opcode::exp, x, "variance", call.location)) return nullptr;
  Node* result = widened(context, x, call.location, [&](Node* wide) -> Node* {
    Node* center =
        kept(context, mean_of(context, wide, *axes, call.location), wide->type.shape, *axes, call.location);
    Node* deviation = make_elementwise(context, Opcode::subtract, wide, center, "variance", call.location);
    Node* squared = make_unary(context, Opcode::square, deviation, "variance", call.location);
    if (squared == nullptr) return nullptr;
    const Extent n = count(wide->type.shape, *axes) - Extent(call.flag(3) ? 1 : 0);
    Node* divisor = make_extent_value(context, n, call.location, squared->type.element);
    return make_elementwise(context, Opcode::divide,
                            reduce(context, squared, Opcode::add, *axes, call.location), divisor, "variance",
                            call.location);
  });
  return call.flag(2) ? kept(context, result, x->type.shape, *axes, call.location) : result;
}

// With the largest element m: m + log(sum(exp(x - m))). Where m is not finite it is left out, so that an
// infinite element gives an infinite result and not a NaN.
Node* logsumexp(BodyContext& context, const BuiltinCall& call) {
  Node* x = call.value(0);
  const auto axes = reduced_axes(context, call);
  if (!axes || !require_accepted(context, Opcode::exp, x, "logsumexp", call.location)) return nullptr;
  const Location at = call.location;
  Node* result = widened(context, x, at, [&](Node* wide) -> Node* {
    Node* largest =
        make_operation(context, Opcode::detach, {reduce(context, wide, Opcode::max, *axes, at)}, {}, at);
    Node* finite = make_operation(context, Opcode::isFinite, {largest}, {}, at);
    if (finite == nullptr) return nullptr;
    Node* shift =
        make_operation(context, Opcode::select,
                       {largest, make_constant(context, 0, largest->type.element, at), finite}, {}, at);
    Node* shifted = make_elementwise(context, Opcode::subtract, wide,
                                     kept(context, shift, wide->type.shape, *axes, at), "logsumexp", at);
    Node* sum =
        reduce(context, make_unary(context, Opcode::exp, shifted, "logsumexp", at), Opcode::add, *axes, at);
    return make_elementwise(context, Opcode::add, make_unary(context, Opcode::log, sum, "logsumexp", at),
                            shift, "logsumexp", at);
  });
  return call.flag(2) ? kept(context, result, x->type.shape, *axes, at) : result;
}

Node* arg_extremum(BodyContext& context, const BuiltinCall& call) {
  const auto axis = one_axis(context, call);
  if (!axis ||
      !require_accepted(context, call.builtin.opcode, call.value(0), call.builtin.name, call.location))
    return nullptr;
  Node* result = make_operation(context, call.builtin.opcode, {call.value(0)}, {Integers{*axis}},
                                call.location, Element(ElementType::i32));
  return call.flag(2) ? kept(context, result, call.value(0)->type.shape, {*axis}, call.location) : result;
}

Node* cumsum(BodyContext& context, const BuiltinCall& call) {
  const auto axis = one_axis(context, call);
  if (!axis || !require_accepted(context, Opcode::add, call.value(0), call.builtin.name, call.location))
    return nullptr;
  return make_operation(context, Opcode::scan, {call.value(0)},
                        {dlvm::Combinator{Opcode::add, nullptr}, Integers{*axis}}, call.location);
}

Node* reverse(BodyContext& context, const BuiltinCall& call) {
  if (!call.arguments[1].given) {
    const auto last = one_axis(context, call);
    return last ? make_operation(context, Opcode::reverse, {call.value(0)}, {Integers{*last}}, call.location)
                : nullptr;
  }
  const auto axes = reduced_axes(context, call);
  return axes ? make_operation(context, Opcode::reverse, {call.value(0)}, {*axes}, call.location) : nullptr;
}

}  // namespace make
}  // namespace frontend::check
