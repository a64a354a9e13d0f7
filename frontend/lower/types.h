// Types of values to DLVM types.
#pragma once

#include <map>

#include "dlvm/ir/module.h"
#include "frontend/check/checked_module.h"

namespace frontend::lower {

/// The DLVM types of a program's values. A struct or an enum is declared in the module when it is first used.
class Types {
 public:
  explicit Types(dlvm::Module& module) : module_(module) {}

  dlvm::Type of(const check::Type& type);

 private:
  const dlvm::TypeDeclaration& declare(const check::DeclaredType& type);

  dlvm::Module& module_;
  std::map<const check::DeclaredType*, dlvm::TypeDeclaration*> declared_;
};

}  // namespace frontend::lower
