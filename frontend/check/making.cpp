// Functions that make tensors, or move the elements of one.
#include <fmt/format.h>

#include <algorithm>

#include "frontend/check/builtins.h"
#include "frontend/check/name_diagnostics.h"
#include "frontend/check/spelling.h"
#include "frontend/check/type_diagnostics.h"

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

Node* stop_gradient(BodyChecker& body, const BuiltinCall& call) {
  return body.operation(Opcode::detach, {call.value(0)}, {}, call.location);
}

Node* stack(BodyChecker& body, const BuiltinCall& call) {
  if (call.many.empty()) {
    body.diagnostics().report(argument_missing, call.location, "stack", "parts");
    return nullptr;
  }
  const BuiltinArgument& along = call.arguments[1];
  const auto axis = body.axis(along.given ? along.integers[0] : 0, call.many[0]->type.rank() + 1,
                              along.given ? along.location : call.location);
  if (!axis) return nullptr;
  std::vector<Node*> parts;
  for (Node* part : call.many) {
    if (!may_be_equal(part->type.shape, call.many[0]->type.shape)) {
      auto& report = body.diagnostics().report(concatenation_shapes, part->location,
                                               spelling(body.type_of(call.many[0])),
                                               spelling(body.type_of(part)), *axis);
      body.explain(report, call.many[0], "the first element");
      body.explain(report, part, "this element");
      report.note("stack takes tensors of one shape");
      return nullptr;
    }
    Shape shape = part->type.shape;
    shape.insert(shape.begin() + *axis, Extent(1));
    parts.push_back(body.reshape(part, std::move(shape), call.location));
    if (parts.back() == nullptr) return nullptr;
  }
  return body.concatenation(std::move(parts), *axis, call.location);
}

Node* one_hot(BodyChecker& body, const BuiltinCall& call) {
  const Extent& n = call.arguments[1].extent;
  Node* index = body.checked_index(call.value(0), n, false, call.location);
  if (index == nullptr) return nullptr;
  const Element element = index->type.element;
  Node* positions =
      body.operation(Opcode::iota, {}, {Shape{n}, Integers{0}, element.type}, call.location, element);
  Shape column = index->type.shape;
  column.push_back(Extent(1));
  Node* hot = body.operation(
      Opcode::equal, {body.reshape(index, std::move(column), call.location), positions}, {}, call.location);
  return body.operation(Opcode::dataTypeCast, {hot}, {ElementType::f32}, call.location, body.fresh_element());
}

Node* iota(BodyChecker& body, const BuiltinCall& call) {
  return body.operation(Opcode::iota, {}, {Shape{call.arguments[0].extent}, Integers{0}, ElementType::f32},
                        call.location, body.fresh_element());
}

Node* eye(BodyChecker& body, const BuiltinCall& call) {
  const Extent& n = call.arguments[0].extent;
  const auto positions = [&](std::int64_t axis) {
    return body.operation(Opcode::iota, {}, {Shape{n, n}, Integers{axis}, ElementType::i64}, call.location,
                          Element(ElementType::i64));
  };
  Node* diagonal = body.operation(Opcode::equal, {positions(0), positions(1)}, {}, call.location);
  return body.operation(Opcode::dataTypeCast, {diagonal}, {ElementType::f32}, call.location,
                        body.fresh_element());
}

Node* broadcast(BodyChecker& body, const BuiltinCall& call) {
  Node* x = call.value(0);
  const Shape& to = call.arguments[1].shape;
  Shape from = x->type.shape;
  bool fits = from.size() <= to.size();
  const auto origins = [&](dlvm::Diagnostic& report) {
    body.explain(report, x, "the operand");
    report.note(call.arguments[1].location, fmt::format("the shape asked for is {}", spelling(to)));
  };
  for (std::size_t i = 1; fits && i <= from.size(); ++i) {
    Extent& have = from[from.size() - i];
    const Extent& want = to[to.size() - i];
    if (have.is(1) || have == want) continue;
    fits = body.require_equal(
        want, have,
        fmt::format("broadcast to {} needs extent {{left}} on axis -{}, but it is {{right}} ({})",
                    spelling(to), i, spelling(have)),
        call.location, origins);
    have = want;
  }
  if (!fits) {
    auto& report =
        body.diagnostics().report(broadcast_target, call.location, spelling(body.type_of(x)), spelling(to));
    origins(report);
    return nullptr;
  }
  return body.broadcast(body.reshape(x, std::move(from), call.location), to, call.location);
}

Node* pad(BodyChecker& body, const BuiltinCall& call) {
  Node* x = call.value(0);
  const auto& amounts = call.arguments[1].amounts;
  if (amounts.size() != x->type.rank()) {
    body.diagnostics().report(list_wanted, call.arguments[1].location,
                              fmt::format("a pair of amounts for each of the {} axes of {}, separated by ';'",
                                          x->type.rank(), spelling(body.type_of(x))));
    return nullptr;
  }
  Node* fill = call.arguments[2].given ? call.value(2) : body.constant(0, x->type.element, call.location);
  if (dlvm::is_boolean(body.resolved(x->type.element).type) && !call.arguments[2].given)
    fill = body.constant(0, ElementType::boolean, call.location);
  if (!body.same_element(x, fill, "pad", call.location)) return nullptr;
  if (!fill->type.is_scalar()) {
    body.diagnostics().report(scalar_wanted, fill->location, "the value to pad with",
                              spelling(body.type_of(fill)));
    return nullptr;
  }
  return body.operation(Opcode::pad, {x, fill}, {dlvm::ExtentPairs(amounts.begin(), amounts.end())},
                        call.location);
}

Node* transpose(BodyChecker& body, const BuiltinCall& call) {
  Node* x = call.value(0);
  const BuiltinArgument& by = call.arguments[1];
  const std::size_t rank = x->type.rank();
  Integers order;
  for (const std::int64_t written : by.integers) {
    const auto axis = body.axis(written, rank, by.location);
    if (!axis) return nullptr;
    if (std::find(order.begin(), order.end(), *axis) != order.end()) {
      body.diagnostics().report(axis_twice, by.location, *axis);
      return nullptr;
    }
    order.push_back(*axis);
  }
  if (order.size() != rank) {
    body.diagnostics().report(list_wanted, by.location,
                              fmt::format("each of the {} axes of {} once", rank, spelling(body.type_of(x))));
    return nullptr;
  }
  return body.operation(Opcode::transpose, {x}, {order}, call.location);
}

}  // namespace frontend::check::make
