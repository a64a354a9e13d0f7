#include "frontend/check/names/declared_twice.h"

#include <fmt/format.h>

#include "frontend/check/diagnostics/name_diagnostics.h"

namespace frontend::check {

dlvm::Diagnostic& report_declared_twice(const ast::Name& name, dlvm::Location before,
                                        dlvm::Diagnostics& diagnostics) {
  return diagnostics.report(declared_twice, name.location, name.text)
      .note(before, fmt::format("'{}' is declared here first", name.text));
}

}  // namespace frontend::check
