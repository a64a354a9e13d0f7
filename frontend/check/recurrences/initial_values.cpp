// `h[0-1] = init`: the values that a recurrent block begins with.
#include <fmt/format.h>

#include "frontend/check/body_context.h"
#include "frontend/check/checker.h"
#include "frontend/check/diagnostics/recurrence_diagnostics.h"
#include "frontend/check/expressions/expression.h"
#include "frontend/check/expressions/values.h"
#include "frontend/check/types/elements.h"
#include "frontend/check/types/spelling.h"

namespace frontend::check {

/// It is computed before the block runs. Where the type of the value is declared, a scalar is stretched to
/// it.
void Checker::check_initial(Declaration& d, dlvm::Diagnostics& messages) {
  const auto declared = declared_type(*d.of, messages);
  BodyContext context{*this, d.scope, nullptr, messages};
  context.declaration = &d;
  context.recurrence = d.recurrence;
  Hint element;
  if (declared) element = declared->element.type;
  Node* value = check_expression(context, *d.syntax->value, element);
  const auto differs = [&] {
    messages
        .report(initial_differs, value->location, d.name, spelling(type_of(context, value)),
                spelling(*declared))
        .note(d.of->location, fmt::format("'{}' is declared here", d.name));
  };
  if (value != nullptr && declared) {
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
