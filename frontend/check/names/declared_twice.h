#pragma once

#include "dlvm/support/diagnostic.h"
#include "frontend/ast/ast.h"

namespace frontend::check {

/// Reports that the name is declared again, and where it was declared `before`. Returns the report.
dlvm::Diagnostic& report_declared_twice(const ast::Name& name, dlvm::Location before,
                                        dlvm::Diagnostics& diagnostics);

}  // namespace frontend::check
