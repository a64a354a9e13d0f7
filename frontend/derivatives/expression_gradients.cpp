#include "frontend/derivatives/expression_gradients.h"

#include <fmt/format.h>

#include "frontend/check/diagnostics/entry_diagnostics.h"
#include "frontend/check/diagnostics/gradient_diagnostics.h"
#include "frontend/check/types/spelling.h"

namespace frontend::derivatives {

using dlvm::Edge;

void ExpressionGradients::report(const dlvm::GradientDeclaration& declaration,
                                 std::vector<dlvm::MissingDerivative> missing, bool is_nested) {
  for (dlvm::MissingDerivative& each : missing)
    report(declaration, {each.kind, cause_of(each), std::move(each.path), {}},
           declaration.of->entry().arguments()[static_cast<std::size_t>(each.argument)]->name(), is_nested);
}

void ExpressionGradients::mark(dlvm::GradientDeclaration& declaration) {
  declaration.warned = !seen_.insert(place_of(declaration, "")).second;
}

ExpressionGradients::Place ExpressionGradients::place_of(const dlvm::GradientDeclaration& declaration,
                                                         const std::string& name) {
  const dlvm::Location at = declaration.location;
  return {at.source, at.line, at.column, name};
}

void ExpressionGradients::report(const dlvm::GradientDeclaration& declaration, const Group& group,
                                 const std::string& name, bool is_nested) {
  const dlvm::Location at = declaration.location;
  const std::string of = fmt::format("'{}'", check::quoted(declaration.of->location, "the expression")),
                    by = fmt::format("'{}'", name);
  if (!seen_.insert(place_of(declaration, name)).second) return;
  const bool is_zero = group.kind == Edge::detached || group.cause == nullptr;
  if (is_zero && group.kind != Edge::unknown) {
    seen_.insert(place_of(declaration, ""));
    if (name.empty()) return;  // a field of a struct, others of which the expression may depend on
  }
  if (group.kind == Edge::unknown) {
    report_unknown(group, at, of, by, diagnostics_);
  } else if (group.kind == Edge::step) {
    auto& message = diagnostics_.report(check::derivative_of_steps, at, of, by);
    show(message, group, "this changes only in steps");
    message.fix(is_nested ? "where relu is the step, tanh, silu and gelu have further derivatives; write 0 "
                            "if zero is intended"
                          : "write 0 if a derivative of zero is intended");
  } else if (group.cause != nullptr) {
    show(diagnostics_.report(check::derivative_stopped, at, of, by), group, "here");
  } else {
    diagnostics_.report(check::gradient_independent, at, of, name);
  }
}

}  // namespace frontend::derivatives
