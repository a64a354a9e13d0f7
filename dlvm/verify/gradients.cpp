#include <fmt/format.h>

#include <unordered_map>

#include "dlvm/analysis/custom_derivative.h"
#include "dlvm/analysis/gradient_type.h"
#include "dlvm/verify/checks.h"
#include "dlvm/verify/diagnostics.h"

namespace dlvm::verification {
namespace {

/// Whether following declarations from `function` leads back to itself. `settled` holds what does not.
bool is_cyclic(const Function* function, std::unordered_set<const Function*>& settled) {
  std::unordered_set<const Function*> path;
  const Function* at = function;
  for (; at != nullptr && at->gradient && !settled.contains(at); at = at->gradient->of)
    if (!path.insert(at).second) return true;
  settled.insert(path.begin(), path.end());
  return false;
}

std::string wrong_with(const Context& context, const Function& function,
                       std::unordered_set<const Function*>& settled) {
  const Function* of = function.gradient->of;
  if (of == nullptr || !context.functions.contains(of)) return "of a function that is not in the module";
  if (is_cyclic(&function, settled)) return fmt::format("@{} is, in the end, its own gradient", of->name());
  std::string why;
  const auto expected = gradient_type(*function.gradient, why);
  if (!expected) return why;
  if (declares(function.type(), *expected)) return "";
  return fmt::format("the type is {}, not {}", expected->text(), function.type().text());
}

}  // namespace

void check_derivatives(const Context& context) {
  for (const auto& function : context.module.functions()) {
    if (function->adjoint == nullptr) continue;
    const std::string wrong = context.module.stage == Module::Stage::canonical
                                  ? "differentiation has taken all of them in a canonical module"
                              : context.functions.contains(function->adjoint)
                                  ? wrong_with_adjoint(*function)
                                  : "a function that is not in the module";
    if (!wrong.empty())
      context.diagnostics.report(bad_derivative, function->place(), function->name(), wrong);
  }
}

void check_gradients(const Context& context) {
  std::unordered_set<const Function*> settled;
  for (const auto& function : context.module.functions()) {
    if (!function->gradient) continue;
    const Location declared = function->gradient->place();
    const Location location = declared.valid() ? declared : function->location;
    if (context.module.stage == Module::Stage::canonical)
      context.diagnostics.report(not_canonical, location, function->name());
    const std::string wrong = wrong_with(context, *function, settled);
    if (!wrong.empty()) context.diagnostics.report(bad_gradient, location, function->name(), wrong);
  }
}

}  // namespace dlvm::verification
