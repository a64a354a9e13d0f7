// Text to abstract syntax.
#pragma once

#include <memory>

#include "dlvm/support/diagnostic.h"
#include "frontend/ast/ast.h"

namespace frontend {

/// The module that the source holds. Null where nothing can be made of the text (wrong encoding); otherwise
/// what could be read: with errors in `diagnostics`, the declarations with mistakes are left out. Throws
/// nothing.
std::unique_ptr<ast::Module> parse(const dlvm::Source& source, dlvm::Diagnostics& diagnostics);

}  // namespace frontend
