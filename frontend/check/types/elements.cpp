// Element types that the context gives: a number has a variable for its element type, and operators, declared
// types and signatures make variables equal to each other or to a type.
#include <fmt/format.h>

#include "frontend/check/diagnostics/type_diagnostics.h"
#include "frontend/check/types/broadcast.h"
#include "frontend/check/types/elements.h"
#include "frontend/check/types/spelling.h"

namespace frontend::check {

Element fresh_element(BodyContext& context) {
  Element element;
  element.variable = static_cast<std::int32_t>(context.element_variables.size());
  context.element_variables.emplace_back();
  return element;
}

namespace {

std::int32_t root(const BodyContext& context, std::int32_t variable) {
  while (context.element_variables[static_cast<std::size_t>(variable)].parent >= 0)
    variable = context.element_variables[static_cast<std::size_t>(variable)].parent;
  return variable;
}

}  // namespace

Element resolved(const BodyContext& context, Element element) {
  if (element.known()) return element;
  element.variable = root(context, element.variable);
  const auto& type = context.element_variables[static_cast<std::size_t>(element.variable)].type;
  return type ? Element(*type) : element;
}

bool unify_elements(BodyContext& context, Element a, Element b) {
  a = resolved(context, a);
  b = resolved(context, b);
  if (a.known() && b.known()) return a.type == b.type;
  if (a.known()) std::swap(a, b);
  ElementVariable& cell = context.element_variables[static_cast<std::size_t>(a.variable)];
  if (b.known()) {
    if (dlvm::is_boolean(b.type)) return false;
    cell.type = b.type;
  } else if (a.variable != b.variable) {
    // The older becomes the root, so that chains of numbers stay flat.
    if (a.variable > b.variable)
      cell.parent = b.variable;
    else
      context.element_variables[static_cast<std::size_t>(b.variable)].parent = a.variable;
  }
  return true;
}

void default_to(BodyContext& context, Node* x, ElementType type) {
  if (x != nullptr && !resolved(context, x->type.element).known())
    unify_elements(context, x->type.element, type);
}

namespace {

/// Returns what says the same as a condition that is compared with 0 or 1, `mask == 0`; empty where it is
/// not.
std::string condition_meant(const Node& a, const Node& b, std::string_view what) {
  if ((what != "==" && what != "!=") || !b.is_constant() || !b.type.is_scalar()) return "";
  const bool zero = b.values[0].is_zero();
  if (!zero && b.values[0] != 1) return "";
  const bool negated = zero == (what == "==");
  const std::string text = quoted_operand(a.place());
  return negated ? "write not " + text : "write " + text;
}

}  // namespace

bool require_same_element(BodyContext& context, Node* a, Node* b, std::string_view what, Location location) {
  if (a == nullptr || b == nullptr) return false;
  if (unify_elements(context, a->type.element, b->type.element)) return true;
  const Type left = type_of(context, a), right = type_of(context, b);
  auto& report =
      context.diagnostics.report(element_types_differ, location, what, spelling(left), spelling(right));
  explain_value(context, report, a, "the left side");
  explain_value(context, report, b, "the right side");
  if (const std::string condition = condition_meant(*a, *b, what); !condition.empty()) report.fix(condition);
  if (!left.element.known() || !right.element.known()) return false;
  const bool right_narrower = dlvm::is_floating(left.element.type) || !dlvm::is_floating(right.element.type);
  const Node* changed = right_narrower ? b : a;
  report.fix(
      fmt::format("there is no implicit conversion: write {}",
                  converted(changed->place(), right_narrower ? left.element.type : right.element.type)));
  return false;
}

bool require_accepted(BodyContext& context, dlvm::Opcode opcode, Node* x, std::string_view what,
                      Location location) {
  if (x == nullptr) return false;
  const auto& definition = dlvm::definition(opcode);
  const Element element = resolved(context, x->type.element);
  const bool is_number = !element.known();  // whose type is never bool
  if (is_number ? definition.accepts != dlvm::Accepts::boolean : dlvm::accepts(definition, element.type))
    return true;
  const std::string_view wanted = definition.accepts == dlvm::Accepts::boolean    ? "bool"
                                  : definition.accepts == dlvm::Accepts::floating ? "a floating type"
                                  : definition.accepts == dlvm::Accepts::integer  ? "an integer type"
                                                                                  : "numbers";
  auto& report = context.diagnostics.report(operator_on_type, location, what, wanted,
                                            is_number ? "a number" : spelling(type_of(context, x)));
  if (!is_number) explain_value(context, report, x, "the operand");
  if (opcode == dlvm::Opcode::divide && dlvm::is_integer(element.type))
    report.fix(
        fmt::format("floor_divide(a, b) rounds the quotient down; for a fraction, convert first: a as {}",
                    spelling(floating_element(context))));
  else if (dlvm::is_boolean(element.type))
    report.fix(
        fmt::format("convert it to a number first: {}", converted(x->place(), floating_element(context))));
  else if (definition.accepts == dlvm::Accepts::floating)
    report.fix(fmt::format("convert it first: {}", converted(x->place(), floating_element(context))));
  else if (definition.accepts == dlvm::Accepts::boolean)
    report.fix(fmt::format("compare it: {} != 0", quoted_operand(x->place())));
  return false;
}

}  // namespace frontend::check
