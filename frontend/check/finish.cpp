// The end of a body: types are settled, then what depends on them is checked.
#include <fmt/format.h>

#include "frontend/check/body.h"
#include "frontend/check/sizes.h"
#include "frontend/check/spelling.h"
#include "frontend/check/type_diagnostics.h"

namespace frontend::check {

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
          auto& report =
              diagnostics_.report(number_does_not_fit, node->location, value.text(), spelling(element));
          if (!dlvm::is_floating(element) && !value.is_integer())
            report.note(fmt::format("{} is wanted here; the quotient rounded down is floor_divide(a, b)",
                                    spelling(element)));
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
