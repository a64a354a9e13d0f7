#include "frontend/derivatives/expression_gradients.h"

#include <fmt/format.h>

#include <map>

#include "frontend/check/diagnostics/entry_diagnostics.h"
#include "frontend/check/diagnostics/gradient_diagnostics.h"
#include "frontend/check/types/spelling.h"

namespace frontend::derivatives {

using dlvm::Edge;

namespace {

constexpr const char* a_field = "a field of the struct";

/// Returns whether the derivative is known, and zero.
bool is_zero(Edge kind, const dlvm::Instruction* cause) {
  return kind != Edge::unknown && (kind == Edge::detached || cause == nullptr);
}

}  // namespace

void ExpressionGradients::report(const dlvm::GradientDeclaration& declaration,
                                 std::vector<dlvm::MissingDerivative> missing, bool is_nested) {
  const auto name_of = [&](std::int64_t argument) {
    return declaration.of->entry().arguments()[static_cast<std::size_t>(argument)]->name();
  };
  // The fields of a struct have one name. It has no influence where none of them has.
  std::map<std::string, std::size_t> influential;
  for (const std::int64_t argument : declaration.wrt.value()) ++influential[name_of(argument)];
  for (const dlvm::MissingDerivative& each : missing)
    if (is_zero(each.kind, cause_of(each))) --influential[name_of(each.argument)];
  for (dlvm::MissingDerivative& each : missing) {
    const std::string name = name_of(each.argument);
    const bool is_field = name.empty() || influential[name] > 0;
    report(declaration, {each.kind, cause_of(each), std::move(each.path), {}}, name, is_field, is_nested);
  }
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
                                 const std::string& name, bool is_field, bool is_nested) {
  const dlvm::Location at = declaration.location;
  const std::string of = fmt::format("'{}'", check::quoted(declaration.of->location, "the expression")),
                    by = name.empty() ? a_field : fmt::format("'{}'", name);
  if (is_zero(group.kind, group.cause)) {
    seen_.insert(place_of(declaration, ""));
    if (is_field) return;  // the expression may depend on other fields of the struct
  }
  if (!seen_.insert(place_of(declaration, by)).second) return;
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
