// Functions that combine the elements along axes.
#include <algorithm>
#include <numeric>
#include <optional>

#include "frontend/check/builtins.h"
#include "frontend/check/spelling.h"
#include "frontend/check/type_diagnostics.h"

namespace frontend::check {
namespace {

using dlvm::Integers;
using dlvm::Opcode;

/// The axes of `along`, in ascending order; all where it is not given.
std::optional<Integers> reduced_axes(BodyChecker& body, const BuiltinCall& call) {
  const std::size_t rank = call.value(0)->type.rank();
  const BuiltinArgument& along = call.arguments[1];
  Integers axes(rank);
  std::iota(axes.begin(), axes.end(), std::int64_t{0});
  if (!along.given) return axes;
  axes.clear();
  for (const std::int64_t written : along.integers) {
    const auto axis = body.axis(written, rank, along.location);
    if (!axis) return std::nullopt;
    if (std::find(axes.begin(), axes.end(), *axis) != axes.end()) {
      body.diagnostics().report(axis_twice, along.location, *axis);
      return std::nullopt;
    }
    axes.push_back(*axis);
  }
  std::sort(axes.begin(), axes.end());
  return axes;
}

/// One axis; the last where it is not given.
std::optional<std::int64_t> one_axis(BodyChecker& body, const BuiltinCall& call) {
  const BuiltinArgument& along = call.arguments[1];
  return body.axis(along.given ? along.integers[0] : -1, call.value(0)->type.rank(),
                   along.given ? along.location : call.location);
}

Node* reduce(BodyChecker& body, Node* x, Opcode opcode, const Integers& axes, Location location) {
  if (x == nullptr || axes.empty()) return x;
  Node initial;
  initial.kind = Node::Kind::identity;
  initial.opcode = opcode;
  initial.type.element = x->type.element;
  initial.location = location;
  return body.operation(Opcode::reduce, {x, body.add(std::move(initial))},
                        {dlvm::Combinator{opcode, nullptr}, axes}, location);
}

/// The reduced tensor with its axes back, of extent 1.
Node* kept(BodyChecker& body, Node* reduced, const Shape& whole, const Integers& axes, Location location) {
  if (reduced == nullptr) return nullptr;
  Shape shape = whole;
  for (const auto axis : axes) shape[static_cast<std::size_t>(axis)] = Extent(1);
  return body.reshape(reduced, std::move(shape), location);
}

Extent count(const Shape& shape, const Integers& axes) {
  Extent n(1);
  for (const auto axis : axes) n = n * shape[static_cast<std::size_t>(axis)];
  return n;
}

bool is_narrow_float(const BodyChecker& body, const Node* x) {
  const Element element = body.resolved(x->type.element);
  return element.known() && dlvm::is_floating(element.type) && dlvm::info(element.type).bytes == 2;
}

/// Computes in float32 what would overflow in 16 bits, though its result does not.
template <typename Compute>
Node* widened(BodyChecker& body, Node* x, Location location, Compute compute) {
  if (x == nullptr || !is_narrow_float(body, x)) return compute(x);
  const ElementType narrow = body.resolved(x->type.element).type;
  return body.convert(compute(body.convert(x, ElementType::f32, location)), narrow, location);
}

Node* mean_of(BodyChecker& body, Node* x, const Integers& axes, Location location) {
  if (x == nullptr) return nullptr;
  Node* n = body.extent_value(count(x->type.shape, axes), location, x->type.element);
  return body.elementwise(Opcode::divide, reduce(body, x, Opcode::add, axes, location), n, "mean", location);
}

}  // namespace

namespace make {

Node* reduction(BodyChecker& body, const BuiltinCall& call) {
  Node* x = call.value(0);
  const auto axes = reduced_axes(body, call);
  if (!axes || !body.accepted(call.builtin.opcode, x, call.builtin.name, call.location)) return nullptr;
  Node* result = reduce(body, x, call.builtin.opcode, *axes, call.location);
  return call.flag(2) ? kept(body, result, x->type.shape, *axes, call.location) : result;
}

Node* mean(BodyChecker& body, const BuiltinCall& call) {
  Node* x = call.value(0);
  const auto axes = reduced_axes(body, call);
  if (!axes || !body.accepted(Opcode::exp, x, "mean", call.location)) return nullptr;
  Node* result =
      widened(body, x, call.location, [&](Node* wide) { return mean_of(body, wide, *axes, call.location); });
  return call.flag(2) ? kept(body, result, x->type.shape, *axes, call.location) : result;
}

Node* variance(BodyChecker& body, const BuiltinCall& call) {
  Node* x = call.value(0);
  const auto axes = reduced_axes(body, call);
  if (!axes || !body.accepted(Opcode::exp, x, "variance", call.location)) return nullptr;
  Node* result = widened(body, x, call.location, [&](Node* wide) -> Node* {
    Node* center =
        kept(body, mean_of(body, wide, *axes, call.location), wide->type.shape, *axes, call.location);
    Node* deviation = body.elementwise(Opcode::subtract, wide, center, "variance", call.location);
    Node* squared = body.unary(Opcode::square, deviation, "variance", call.location);
    if (squared == nullptr) return nullptr;
    const Extent n = count(wide->type.shape, *axes) - Extent(call.flag(3) ? 1 : 0);
    Node* divisor = body.extent_value(n, call.location, squared->type.element);
    return body.elementwise(Opcode::divide, reduce(body, squared, Opcode::add, *axes, call.location), divisor,
                            "variance", call.location);
  });
  return call.flag(2) ? kept(body, result, x->type.shape, *axes, call.location) : result;
}

// With the largest element m: m + log(sum(exp(x - m))). Where m is not finite it is left out, so that an
// infinite element gives an infinite result and not a NaN.
Node* logsumexp(BodyChecker& body, const BuiltinCall& call) {
  Node* x = call.value(0);
  const auto axes = reduced_axes(body, call);
  if (!axes || !body.accepted(Opcode::exp, x, "logsumexp", call.location)) return nullptr;
  const Location at = call.location;
  Node* result = widened(body, x, at, [&](Node* wide) -> Node* {
    Node* largest = body.operation(Opcode::detach, {reduce(body, wide, Opcode::max, *axes, at)}, {}, at);
    Node* finite = body.operation(Opcode::isFinite, {largest}, {}, at);
    if (finite == nullptr) return nullptr;
    Node* shift = body.operation(Opcode::select,
                                 {largest, body.constant(0, largest->type.element, at), finite}, {}, at);
    Node* shifted = body.elementwise(Opcode::subtract, wide, kept(body, shift, wide->type.shape, *axes, at),
                                     "logsumexp", at);
    Node* sum = reduce(body, body.unary(Opcode::exp, shifted, "logsumexp", at), Opcode::add, *axes, at);
    return body.elementwise(Opcode::add, body.unary(Opcode::log, sum, "logsumexp", at), shift, "logsumexp",
                            at);
  });
  return call.flag(2) ? kept(body, result, x->type.shape, *axes, at) : result;
}

Node* arg_extremum(BodyChecker& body, const BuiltinCall& call) {
  const auto axis = one_axis(body, call);
  if (!axis || !body.accepted(call.builtin.opcode, call.value(0), call.builtin.name, call.location))
    return nullptr;
  Node* result = body.operation(call.builtin.opcode, {call.value(0)}, {Integers{*axis}}, call.location,
                                Element(ElementType::i32));
  return call.flag(2) ? kept(body, result, call.value(0)->type.shape, {*axis}, call.location) : result;
}

Node* cumsum(BodyChecker& body, const BuiltinCall& call) {
  const auto axis = one_axis(body, call);
  if (!axis || !body.accepted(Opcode::add, call.value(0), call.builtin.name, call.location)) return nullptr;
  return body.operation(Opcode::scan, {call.value(0)},
                        {dlvm::Combinator{Opcode::add, nullptr}, Integers{*axis}}, call.location);
}

Node* reverse(BodyChecker& body, const BuiltinCall& call) {
  if (!call.arguments[1].given) {
    const auto last = one_axis(body, call);
    return last ? body.operation(Opcode::reverse, {call.value(0)}, {Integers{*last}}, call.location)
                : nullptr;
  }
  const auto axes = reduced_axes(body, call);
  return axes ? body.operation(Opcode::reverse, {call.value(0)}, {*axes}, call.location) : nullptr;
}

}  // namespace make
}  // namespace frontend::check
