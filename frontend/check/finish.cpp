// The end of a body: types are settled, then what depends on them is checked.
#include <fmt/format.h>

#include "frontend/check/body.h"
#include "frontend/check/sizes.h"
#include "frontend/check/spelling.h"
#include "frontend/check/type_diagnostics.h"

namespace frontend::check {

/// Why the number has this type: the range of the type, and the operand that gave it.
void BodyChecker::explain_number(dlvm::Diagnostic& report, const Node& number, const Number& value) {
  const ElementType element = number.type.element.type;
  if (dlvm::is_integer(element) && value.is_integer()) {
    const int bits = 8 * dlvm::info(element).bytes;
    const auto power = Number::power(2, dlvm::is_signed(element) ? bits - 1 : bits);
    report.note(fmt::format("{} holds the integers from {} to {}", spelling(element),
                            dlvm::is_signed(element) ? (-*power).text() : "0", (*power - 1)->text()));
  } else if (dlvm::is_integer(element) && quoted(number.location, "") == "/") {
    report.note("the quotient rounded down is floor_divide(a, b)");
  }
  for (const auto& user : body_.nodes)
    for (const Node* operand : user->operands)
      if (operand == &number)
        for (const Node* other : user->operands)
          if (other != &number && !other->is_constant()) return explain(report, other, "the other operand");
}

bool BodyChecker::finish(Node* result, ElementType fallback) {
  body_.result = result;
  if (result == nullptr) return false;
  result->live = true;
  for (std::size_t i = body_.nodes.size(); i-- > 0;)
    if (body_.nodes[i]->live)
      for (Node* operand : body_.nodes[i]->operands) operand->live = true;

  const std::size_t errors = diagnostics_.error_count();
  for (const auto& node : body_.nodes) {
    default_to(node.get(), fallback);
    node->type.element = resolved(node->type.element);
    if (!node->live) continue;
    const ElementType element = node->type.element.type;
    if (node->is_constant()) {
      for (const Number& value : node->values)
        if (!value.fits(element)) {
          explain_number(
              diagnostics_.report(number_does_not_fit, node->place(), spelling(element), value.text()), *node,
              value);
          break;
        }
    } else if (node->kind == Node::Kind::operation && !node->operands.empty() &&
               dlvm::definition(node->opcode).is(dlvm::Trait::elementwise) &&
               node->opcode != dlvm::Opcode::select) {
      accepted(node->opcode, node->operands[0], dlvm::definition(node->opcode).name, node->location);
    }
    check_size(node->type, node->location, diagnostics_);
    if (diagnostics_.error_count() != errors) return false;
  }
  return true;
}

}  // namespace frontend::check
