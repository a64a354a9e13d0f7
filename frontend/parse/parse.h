// Text to abstract syntax.
#pragma once

#include <memory>

#include "dlvm/support/diagnostic.h"
#include "frontend/ast/ast.h"

namespace frontend {

/// Returns the module that the source contains, or null if nothing can be made of the text (wrong encoding).
/// If `diagnostics` has errors, the declarations with mistakes are left out. The function never throws.
std::unique_ptr<ast::Module> parse(const dlvm::Source& source, dlvm::Diagnostics& diagnostics);

}  // namespace frontend
