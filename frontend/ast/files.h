#pragma once

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "frontend/ast/ast.h"

namespace frontend::ast {

/// A parsed file, and the files that it imports, each once.
struct File {
  std::string name;  ///< the module's name
  const dlvm::Source* source = nullptr;
  std::unique_ptr<Module> syntax;
  bool library = false;  ///< the file belongs to the standard library
  std::vector<File*> imports;
};

/// The file that is compiled, first, and all that it imports, directly or through others.
using Files = std::deque<File>;

}  // namespace frontend::ast
