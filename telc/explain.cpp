#include "telc/explain.h"

#include <algorithm>
#include <cctype>

#include "codegen/object/diagnostics.h"
#include "dlvm/differentiate/diagnostics.h"
#include "dlvm/text/diagnostics.h"
#include "dlvm/verify/diagnostics.h"
#include "frontend/diagnostics.h"
#include "telc/diagnostics.h"

namespace telc {
namespace {

constexpr const dlvm::DiagnosticKind* differentiation_kinds[]{
    &dlvm::differentiation::not_known, &dlvm::differentiation::only_steps,
    &dlvm::differentiation::of_itself, &dlvm::differentiation::illegal,
    &dlvm::differentiation::too_large, &dlvm::differentiation::independent};

}  // namespace

std::vector<const dlvm::DiagnosticKind*> all_kinds() {
  std::vector<const dlvm::DiagnosticKind*> all;
  const auto add = [&](const auto& kinds) { all.insert(all.end(), std::begin(kinds), std::end(kinds)); };
  add(frontend::diagnostic_kinds());
  add(codegen::object_diagnostics);
  add(command_diagnostics);
  add(dlvm::reading::kinds);
  add(dlvm::verification::kinds);
  add(differentiation_kinds);
  return all;
}

const dlvm::DiagnosticKind* kind_of(std::string_view code) {
  std::string upper(code);
  std::ranges::transform(upper, upper.begin(),
                         [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  for (const dlvm::DiagnosticKind* kind : all_kinds())
    if (kind->code == upper) return kind;
  return nullptr;
}

}  // namespace telc
