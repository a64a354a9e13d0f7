// `h[0-1] = init`: the values that a recurrent block begins with.
#include <fmt/format.h>

#include "frontend/check/body_context.h"
#include "frontend/check/checker.h"
#include "frontend/check/diagnostics/recurrence_diagnostics.h"
#include "frontend/check/expressions/declared_values.h"
#include "frontend/check/expressions/expression.h"
#include "frontend/check/expressions/values.h"
#include "frontend/check/types/elements.h"
#include "frontend/check/types/spelling.h"

namespace frontend::check {

/// It is computed before the block runs. Where the type of the value is declared, a scalar is stretched to
/// it.
void Checker::check_initial(Declaration& d, dlvm::Diagnostics& messages) {
  if (d.structure != nullptr) {
    check_tensor(d, messages);
    d.failed = d.failed || d.body.result == nullptr;
    return;
  }
  const auto declared = declared_type(*d.of, messages);
  BodyContext context{*this, d.scope, nullptr, messages};
  context.declaration = &d;
  context.recurrence = d.recurrence;
  context.before_first_step = true;
  const bool is_structure = declared && !declared->is_tensor();
  Hint element;
  if (declared && !is_structure) element = declared->element.type;
  Node* value = check_any_expression(context, *d.syntax->value, element);
  const auto differs = [&] {
    messages
        .report(initial_differs, value->location, d.name, spelling(type_of(context, value)),
                spelling(*declared))
        .note(d.of->location, fmt::format("'{}' is declared here", d.name));
  };
  const DeclaredType* type = value != nullptr ? value->type.declared : nullptr;
  if (value != nullptr && (is_structure || (declared && type != nullptr))) {
    value = require_declared(context, value, is_structure ? declared->declared : nullptr,
                             fmt::format("the initial value of '{}'", d.name), d.of->location);
    if (value == nullptr) return;
  }
  if (value != nullptr && declared && !is_structure) {
    value = make_reshape(context, value, assume_equal(value->type.shape, declared->shape, value->location),
                         value->location);
    std::string why;
    const auto joined = dlvm::broadcast_shapes(value->type.shape, declared->shape, why);
    if (!unify_elements(context, value->type.element, declared->element) || !joined ||
        *joined != declared->shape)
      return differs();
    value = make_broadcast(context, value, declared->shape, value->location);
  }
  d.failed = !finish_body(context, value, element.value_or(own_element(context)));
  if (d.failed) return;
  d.type = value->type;
  d.body = std::move(context.body);
}

}  // namespace frontend::check
