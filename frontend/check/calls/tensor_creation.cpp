// Functions that make tensors, or move the elements of one.
#include <fmt/format.h>

#include <algorithm>

#include "frontend/check/calls/builtins.h"
#include "frontend/check/diagnostics/name_diagnostics.h"
#include "frontend/check/diagnostics/type_diagnostics.h"
#include "frontend/check/expressions/operators.h"
#include "frontend/check/expressions/values.h"
#include "frontend/check/types/broadcast.h"
#include "frontend/check/types/elements.h"
#include "frontend/check/types/extents.h"
#include "frontend/check/types/spelling.h"

namespace frontend::check {

Node* stretched(BodyContext& context, Node* x, const Shape& to, Location location,
                const Explanation& explain_target) {
  Shape from = x->type.shape;
  bool fits = from.size() <= to.size();
  const auto origins = [&](dlvm::Diagnostic& report) {
    explain_value(context, report, x, "the operand");
    explain_target(report);
  };
  for (std::size_t i = 1; fits && i <= from.size(); ++i) {
    Extent& have = from[from.size() - i];
    const Extent& want = to[to.size() - i];
    if (have.is(1) || have == want) continue;
    fits = require_equal(
        context, want, have,
        fmt::format("broadcast to {} needs extent {{left}} on axis -{}, but it is {{right}} ({})",
                    spelling(to), i, spelling(have)),
        location, origins);
    have = want;
  }
  if (!fits) {
    origins(
        context.diagnostics.report(broadcast_target, location, spelling(type_of(context, x)), spelling(to)));
    return nullptr;
  }
  return make_broadcast(context, make_reshape(context, x, std::move(from), location), to, location);
}

}  // namespace frontend::check

namespace frontend::check::make {

using dlvm::Integers;
using dlvm::Opcode;

namespace {

bool may_be_equal(const Shape& a, const Shape& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Extent& left, const Extent& right) {
    return dlvm::provably_equal(left, right) != dlvm::Proof::no;
  });
}

}  // namespace

Node* stop_gradient(BodyContext& context, const BuiltinCall& call) {
  return make_operation(context, Opcode::detach, {call.value(0)}, {}, call.location);
}

Node* stack(BodyContext& context, const BuiltinCall& call) {
  if (call.many.empty()) {
    context.diagnostics.report(argument_missing, call.location, "stack", "parts");
    return nullptr;
  }
  const BuiltinArgument& along = call.arguments[1];
  const auto axis = counted_axis(context, along.given ? along.integers[0] : 0, call.many[0]->type.rank() + 1,
                                 along.given ? along.location : call.location);
  if (!axis) return nullptr;
  std::vector<Node*> parts;
  for (Node* part : call.many) {
    if (!may_be_equal(part->type.shape, call.many[0]->type.shape)) {
      auto& report = context.diagnostics.report(concatenation_shapes, part->location,
                                                spelling(type_of(context, call.many[0])),
                                                spelling(type_of(context, part)), *axis);
      explain_value(context, report, call.many[0], "the first element");
      explain_value(context, report, part, "this element");
      report.note("stack takes tensors of one shape");
      return nullptr;
    }
    Shape shape = part->type.shape;
    shape.insert(shape.begin() + *axis, Extent(1));
    parts.push_back(make_reshape(context, part, std::move(shape), call.location));
    if (parts.back() == nullptr) return nullptr;
  }
  return make_concatenation(context, std::move(parts), *axis, call.location);
}

Node* one_hot(BodyContext& context, const BuiltinCall& call) {
  const Extent& n = call.arguments[1].extent;
  Node* index = make_checked_index(context, call.value(0), n, false, call.location);
  if (index == nullptr) return nullptr;
  const Element element = index->type.element;
  Node* positions = make_operation(context, Opcode::iota, {}, {Shape{n}, Integers{0}, element.type},
                                   call.location, element);
  Shape column = index->type.shape;
  column.push_back(Extent(1));
  Node* hot = make_operation(context, Opcode::equal,
                             {make_reshape(context, index, std::move(column), call.location), positions}, {},
                             call.location);
  return make_operation(context, Opcode::dataTypeCast, {hot}, {ElementType::f32}, call.location,
                        fresh_element(context));
}

Node* iota(BodyContext& context, const BuiltinCall& call) {
  return make_operation(context, Opcode::iota, {},
                        {Shape{call.arguments[0].extent}, Integers{0}, ElementType::f32}, call.location,
                        fresh_element(context));
}

Node* eye(BodyContext& context, const BuiltinCall& call) {
  const Extent& n = call.arguments[0].extent;
  const auto positions = [&](std::int64_t axis) {
    return make_operation(context, Opcode::iota, {}, {Shape{n, n}, Integers{axis}, ElementType::i64},
                          call.location, Element(ElementType::i64));
  };
  Node* diagonal = make_operation(context, Opcode::equal, {positions(0), positions(1)}, {}, call.location);
  return make_operation(context, Opcode::dataTypeCast, {diagonal}, {ElementType::f32}, call.location,
                        fresh_element(context));
}

Node* broadcast(BodyContext& context, const BuiltinCall& call) {
  const auto explain_target = [&](dlvm::Diagnostic& report) {
    report.note(call.arguments[1].location,
                fmt::format("the shape asked for is {}", spelling(call.arguments[1].shape)));
  };
  return stretched(context, call.value(0), call.arguments[1].shape, call.location, explain_target);
}

Node* pad(BodyContext& context, const BuiltinCall& call) {
  Node* x = call.value(0);
  const auto& amounts = call.arguments[1].amounts;
  if (amounts.size() != x->type.rank()) {
    context.diagnostics.report(
        list_wanted, call.arguments[1].location,
        fmt::format("a pair of amounts for each of the {} axes of {}, separated by ';'", x->type.rank(),
                    spelling(type_of(context, x))));
    return nullptr;
  }
  Node* fill =
      call.arguments[2].given ? call.value(2) : make_constant(context, 0, x->type.element, call.location);
  if (dlvm::is_boolean(resolved(context, x->type.element).type) && !call.arguments[2].given)
    fill = make_constant(context, 0, ElementType::boolean, call.location);
  if (!require_same_element(context, x, fill, "pad", call.location)) return nullptr;
  if (!fill->type.is_scalar()) {
    context.diagnostics.report(scalar_wanted, fill->location, "the value to pad with",
                               spelling(type_of(context, fill)));
    return nullptr;
  }
  return make_operation(context, Opcode::pad, {x, fill}, {dlvm::ExtentPairs(amounts.begin(), amounts.end())},
                        call.location);
}

Node* transpose(BodyContext& context, const BuiltinCall& call) {
  Node* x = call.value(0);
  const BuiltinArgument& by = call.arguments[1];
  const std::size_t rank = x->type.rank();
  Integers order;
  for (const std::int64_t written : by.integers) {
    const auto axis = counted_axis(context, written, rank, by.location);
    if (!axis) return nullptr;
    if (std::find(order.begin(), order.end(), *axis) != order.end()) {
      context.diagnostics.report(axis_twice, by.location, *axis);
      return nullptr;
    }
    order.push_back(*axis);
  }
  if (order.size() != rank) {
    context.diagnostics.report(
        list_wanted, by.location,
        fmt::format("each of the {} axes of {} once", rank, spelling(type_of(context, x))));
    return nullptr;
  }
  return make_operation(context, Opcode::transpose, {x}, {order}, call.location);
}

}  // namespace frontend::check::make
