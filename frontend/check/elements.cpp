// Element types that the context gives: a number has a variable for its element type, and operators, declared
// types and signatures make variables equal to each other or to a type.
#include <fmt/format.h>

#include "frontend/check/body.h"
#include "frontend/check/spelling.h"
#include "frontend/check/type_diagnostics.h"

namespace frontend::check {

Element BodyChecker::fresh_element() {
  Element element;
  element.variable = static_cast<std::int32_t>(cells_.size());
  cells_.emplace_back();
  return element;
}

std::int32_t BodyChecker::root(std::int32_t variable) const {
  while (cells_[static_cast<std::size_t>(variable)].parent >= 0)
    variable = cells_[static_cast<std::size_t>(variable)].parent;
  return variable;
}

Element BodyChecker::resolved(Element element) const {
  if (element.known()) return element;
  element.variable = root(element.variable);
  const auto& type = cells_[static_cast<std::size_t>(element.variable)].type;
  return type ? Element(*type) : element;
}

bool BodyChecker::unify(Element a, Element b) {
  a = resolved(a);
  b = resolved(b);
  if (a.known() && b.known()) return a.type == b.type;
  if (a.known()) std::swap(a, b);
  Cell& cell = cells_[static_cast<std::size_t>(a.variable)];
  if (b.known()) {
    if (dlvm::is_boolean(b.type)) return false;
    cell.type = b.type;
  } else if (a.variable != b.variable) {
    // The older becomes the root, so that chains of numbers stay flat.
    if (a.variable > b.variable)
      cell.parent = b.variable;
    else
      cells_[static_cast<std::size_t>(b.variable)].parent = a.variable;
  }
  return true;
}

void BodyChecker::default_to(Node* x, ElementType type) {
  if (x != nullptr && !resolved(x->type.element).known()) unify(x->type.element, type);
}

bool BodyChecker::same_element(Node* a, Node* b, std::string_view what, Location location) {
  if (a == nullptr || b == nullptr) return false;
  if (unify(a->type.element, b->type.element)) return true;
  const Type left = type_of(a), right = type_of(b);
  auto& report = diagnostics_.report(element_types_differ, location, what, spelling(left), spelling(right));
  explain(report, a, "the left side");
  explain(report, b, "the right side");
  if (!left.element.known() || !right.element.known()) return false;
  const bool right_narrower = dlvm::is_floating(left.element.type) || !dlvm::is_floating(right.element.type);
  const Node* changed = right_narrower ? b : a;
  report.fix(fmt::format("there is no implicit conversion: write {} as {}", quoted_operand(changed->place()),
                         spelling(right_narrower ? left.element.type : right.element.type)));
  return false;
}

bool BodyChecker::accepted(dlvm::Opcode opcode, Node* x, std::string_view what, Location location) {
  if (x == nullptr) return false;
  const auto& definition = dlvm::definition(opcode);
  const Element element = resolved(x->type.element);
  if (!element.known() || dlvm::accepts(definition, element.type)) return true;
  const std::string_view wanted = definition.accepts == dlvm::Accepts::boolean    ? "bool"
                                  : definition.accepts == dlvm::Accepts::floating ? "a floating type"
                                  : definition.accepts == dlvm::Accepts::integer  ? "an integer type"
                                                                                  : "numbers";
  auto& report = diagnostics_.report(operator_on_type, location, what, wanted, spelling(type_of(x)));
  explain(report, x, "the operand");
  if (opcode == dlvm::Opcode::divide && dlvm::is_integer(element.type))
    report.fix("floor_divide(a, b) rounds the quotient down; for a fraction, convert first: a as float32");
  else if (dlvm::is_boolean(element.type))
    report.fix(fmt::format("convert it to a number first: {} as float32", quoted_operand(x->place())));
  else if (definition.accepts == dlvm::Accepts::floating)
    report.fix(fmt::format("convert it first: {} as float32", quoted_operand(x->place())));
  else if (definition.accepts == dlvm::Accepts::boolean)
    report.fix(fmt::format("compare it: {} != 0", quoted_operand(x->place())));
  return false;
}

}  // namespace frontend::check
