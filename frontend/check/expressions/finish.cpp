// The end of a body: types are settled, then what depends on them is checked.
#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "frontend/check/body_context.h"
#include "frontend/check/diagnostics/type_diagnostics.h"
#include "frontend/check/expressions/operators.h"
#include "frontend/check/types/broadcast.h"
#include "frontend/check/types/elements.h"
#include "frontend/check/types/sizes.h"
#include "frontend/check/types/spelling.h"

namespace frontend::check {

namespace {

/// Returns the parameter that gets the number in a call; null where that is no call, or another one.
const ast::Parameter* parameter_given(const Node& user, const Node& number) {
  if (user.kind != Node::Kind::call || user.callee == nullptr) return nullptr;
  std::size_t value = 0;
  for (const ast::Parameter& parameter : user.callee->function->syntax->parameters) {
    if (!parameter.is_value()) continue;
    if (value < user.operands.size() && user.operands[value] == &number) return &parameter;
    ++value;
  }
  return nullptr;
}

/// Why the number has this type: the range of the type, and the operand that gave it.
void explain_number(BodyContext& context, dlvm::Diagnostic& report, const Node& number, const Number& value) {
  const ElementType element = number.type.element.type;
  if (dlvm::is_integer(element) && value.is_integer()) {
    const int bits = 8 * dlvm::info(element).bytes;
    const auto power = Number::power(2, dlvm::is_signed(element) ? bits - 1 : bits);
    report.note(fmt::format("{} holds the integers from {} to {}", spelling(element),
                            dlvm::is_signed(element) ? (-*power).text() : "0", (*power - 1)->text()));
  } else if (dlvm::is_integer(element) && quoted(number.location, "") == "/") {
    report.note("floor_divide(a, b) rounds the quotient down");
  }
  for (const auto& user : context.body.nodes)
    if (const ast::Parameter* parameter = parameter_given(*user, number)) {
      report.note(parameter->name.location,
                  fmt::format("the parameter '{}' of '{}' is {}", parameter->name.text,
                              user->callee->function->name(), spelling(element)));
      return;
    }
  for (const auto& user : context.body.nodes)
    for (const Node* operand : user->operands)
      if (operand == &number)
        for (const Node* other : user->operands)
          if (other != &number && !other->is_constant()) {
            explain_value(context, report, other, "the other operand");
            if (dlvm::is_integer(element) && !value.is_integer())
              report.fix(fmt::format("convert it: {}", converted(other->place(), floating_element(context))));
            return;
          }
}

bool is_extremum(const Node& x) {
  return x.live && x.kind == Node::Kind::operation &&
         (x.opcode == dlvm::Opcode::min || x.opcode == dlvm::Opcode::max);
}

/// Scalars are small; what a name means, and an operand of the same shape, have been checked.
bool has_known_size(const Node& x) {
  if (x.type.is_scalar() || x.kind == Node::Kind::reference || x.kind == Node::Kind::parameter ||
      x.kind == Node::Kind::variable)
    return true;
  const int bytes = dlvm::info(x.type.element.type).bytes;
  return std::any_of(x.operands.begin(), x.operands.end(), [&](const Node* operand) {
    return bytes <= dlvm::info(operand->type.element.type).bytes && operand->type.shape == x.type.shape;
  });
}

/// `max(x, -1)`, with a number that is an axis of x.
bool has_axis_as_number(const Node& x) {
  if (!is_extremum(x) || x.lifted || !x.operands[1]->is_constant() || x.operands[1]->values.size() != 1)
    return false;
  const auto axis = x.operands[1]->values[0].integer();
  return axis && *axis < 0 && *axis >= -static_cast<std::int64_t>(x.operands[0]->type.rank());
}

/// A division by the number 0.
bool divides_by_zero(const Node& x) {
  if (x.kind != Node::Kind::operation) return false;
  if (x.opcode != dlvm::Opcode::divide && x.opcode != dlvm::Opcode::modulo &&
      x.opcode != dlvm::Opcode::floorDivide)
    return false;
  const Node& divisor = *x.operands[1];
  return divisor.is_constant() && divisor.values.size() == 1 && divisor.values[0].is_zero();
}

/// Reports a division by the constant 0: an error for integers, a warning for two constant floating-point
/// numbers.
void check_division(BodyContext& context, const Node& x) {
  if (!divides_by_zero(x)) return;
  if (dlvm::is_integer(x.type.element.type)) {
    context.diagnostics.report(division_by_zero, x.location);
    return;
  }
  const Node& dividend = *x.operands[0];
  if (!dividend.is_constant() || dividend.values.size() != 1) return;
  const bool none = dividend.values[0].is_zero() || x.opcode == dlvm::Opcode::modulo;
  context.diagnostics
      .report(not_finite, x.place(), quoted(x.place(), "this quotient"),
              none                               ? "not a number (NaN)"
              : dividend.values[0].is_negative() ? "minus infinity"
                                                 : "infinite")
      .fix(none                               ? "divide by another number"
           : dividend.values[0].is_negative() ? "where it stands for a very small number, write one: -1e30"
                                              : "where it stands for a very large number, write one: 1e30");
}

/// Not in `min(max(x, -1), 1)`, which bounds x on both sides.
void warn_about_numbers_as_axes(BodyContext& context) {
  std::vector<const Node*> found;
  for (const auto& node : context.body.nodes)
    if (has_axis_as_number(*node) && !is_extremum(*node->operands[0])) found.push_back(node.get());
  if (found.empty()) return;
  std::unordered_set<const Node*> bounded;
  for (const auto& node : context.body.nodes)
    if (is_extremum(*node)) bounded.insert(node->operands[0]);
  for (const Node* node : found) {
    if (bounded.contains(node)) continue;
    const std::string_view name = node->opcode == dlvm::Opcode::max ? "max" : "min";
    const std::string axis = node->operands[1]->values[0].text();
    context.diagnostics.report(number_as_axis, node->place(), name, axis)
        .fix(fmt::format("along an axis: {}({}, along: {})", name, quoted(node->operands[0]->place(), "..."),
                         axis));
  }
}

}  // namespace

ElementType own_element(const BodyContext& context) {
  return context.net != nullptr ? context.net->element : context.scope->element();
}

ElementType floating_element(const BodyContext& context) {
  if (context.instance != nullptr && context.instance->generic) return *context.instance->generic;
  return dlvm::is_floating(own_element(context)) ? own_element(context) : ElementType::f32;
}

bool finish_body(BodyContext& context, Node* result, ElementType fallback) {
  context.body.result = result;
  return result != nullptr && finish_body(context, std::vector<Node*>{result}, fallback);
}

bool finish_body(BodyContext& context, const std::vector<Node*>& needed, ElementType fallback) {
  for (Node* value : needed) value->live = true;
  for (const StateChange& change : context.body.changes) change.value->live = true;
  for (std::size_t i = context.body.nodes.size(); i-- > 0;)
    if (context.body.nodes[i]->live)
      for (Node* operand : context.body.nodes[i]->operands) operand->live = true;

  for (Variable& variable : context.body.variables) {
    const Element element = resolved(context, variable.type.element);
    if (!element.known()) unify_elements(context, element, fallback);
    variable.type.element = resolved(context, element);
  }
  warn_about_numbers_as_axes(context);
  // A tensor of dimensions that stand for themselves has no size, and its extents may be long.
  const bool of_sample = context.net != nullptr && context.net->sample;
  const std::size_t errors = context.diagnostics.error_count();
  for (const auto& node : context.body.nodes) {
    default_to(context, node.get(), fallback);
    node->type.element = resolved(context, node->type.element);
    if (!node->live) continue;
    const ElementType element = node->type.element.type;
    if (node->is_constant()) {
      for (const Number& value : node->values)
        if (!value.fits(element)) {
          explain_number(
              context,
              context.diagnostics.report(number_does_not_fit, node->place(), spelling(element), value.text()),
              *node, value);
          break;
        }
    } else if (node->kind == Node::Kind::operation && !node->operands.empty() &&
               dlvm::definition(node->opcode).is(dlvm::Trait::elementwise) &&
               node->opcode != dlvm::Opcode::select) {
      check_division(context, *node);
      if (context.diagnostics.error_count() == errors)
        require_accepted(context, node->opcode, node->operands[0], name_of(node->opcode), node->location);
    }
    if (!of_sample && !has_known_size(*node)) check_size(node->type, node->location, context.diagnostics);
    if (context.diagnostics.error_count() != errors) return false;
  }
  return true;
}

}  // namespace frontend::check
