// The names of values, and of the instances of nets among them.
#pragma once

#include <list>
#include <vector>

#include "dlvm/support/diagnostic.h"
#include "frontend/check/checked_module.h"

namespace frontend::check {

/// Returns whether the name can be that of a value of the file. If not, reports what has the name already.
bool is_new_value(const Scope& scope, const ast::Name& name, dlvm::Diagnostics& diagnostics);

/// Declares the instances of nets, in turn with the declarations between which they stand.
class InstanceNames {
 public:
  InstanceNames(Program& program, dlvm::Diagnostics& diagnostics)
      : program_(program), diagnostics_(diagnostics) {}

  /// Declares the instances of the file that stand before the place, or all that are left.
  void declare(Scope& scope, Location before = {});
  /// Sets the declaration that follows the instances declared since the last one.
  void set_next(std::list<Declaration>::iterator next);
  /// Reports instances with the name of a function or of an imported file: a call means either a net or a
  /// function, and `layers.W` either a tensor of a net or a constant of a file.
  void check_names();

 private:
  void declare(Scope& scope, const ast::NetInstance& syntax);

  Program& program_;
  dlvm::Diagnostics& diagnostics_;
  const Scope* scope_ = nullptr;       ///< the file whose instances are declared
  std::size_t declared_ = 0;           ///< the number of those that have been
  std::vector<NetInstance*> pending_;  ///< those after which nothing has been declared
};

}  // namespace frontend::check
