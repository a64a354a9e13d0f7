#include <fmt/format.h>

#include "frontend/check/name_diagnostics.h"
#include "frontend/check/scope_names.h"

namespace frontend::check {

void report_unused(const Program& program, dlvm::Diagnostics& diagnostics) {
  const Scope& main = program.main();
  bool compiled = false;
  for (const Declaration& d : program.declarations)
    compiled = compiled || (d.scope == &main && (d.role() == ast::Role::out || d.role() == ast::Role::loss));
  if (!compiled) return;  // a library: others use it
  for (const Declaration& d : program.declarations) {
    const bool result = d.role() == ast::Role::out || d.role() == ast::Role::loss;
    if (d.scope == &main && !d.used && !result)
      diagnostics.report(unused, d.location, ast::spelling(d.role()), d.name);
  }
  for (const auto& [name, dimension] : main.dimensions)
    if (dimension.declared && !dimension.used) diagnostics.report(unused, dimension.location, "dim", name);
  for (const Function& function : program.functions)
    if (function.scope == &main && !function.used)
      diagnostics.report(unused, function.syntax->name.location, "func", function.syntax->name.text);
}

}  // namespace frontend::check
