// The names of recurrent blocks, inside them and behind them.
#pragma once

#include <string>

#include "dlvm/support/diagnostic.h"
#include "frontend/check/checked_module.h"

namespace frontend::check {

/// Enters the blocks of a file among its values, in the order of the source.
class RecurrenceNames {
 public:
  RecurrenceNames(Program& program, dlvm::Diagnostics& diagnostics)
      : program_(program), diagnostics_(diagnostics) {}

  /// Declares the blocks of the file that stand before the place, or all that are left.
  void declare(Scope& scope, Location before = {});
  /// Makes a dimension for the length of each block that has inputs, where nothing else says what it is.
  void declare_lengths();

 private:
  void declare(Scope& scope, const ast::Recurrence& syntax, Recurrence* outer);
  void declare_values(Recurrence& block, const ast::Declaration& syntax);
  /// Returns the value of a step.
  Declaration& declare_value(Recurrence& block, const ast::Declaration& syntax, const ast::Name& name);
  void declare_failed(Recurrence& block, const ast::Declaration& syntax, const ast::Name& name);
  Declaration& declare_input(Recurrence& block, const ast::Declaration& syntax, const ast::Name& name);
  void declare_initial(Recurrence& block, const ast::InitialValue& syntax);
  Declaration& add(Recurrence& block, const ast::Declaration& syntax, const ast::Name& name,
                   Declaration::Part part, Recurrence* recurrence, Declaration* of = nullptr);
  /// Returns whether no block around has the name; reports it otherwise.
  bool is_new(const Recurrence& block, const ast::Name& name);
  bool may_stand(const Recurrence& block, const ast::Declaration& syntax);

  Program& program_;
  dlvm::Diagnostics& diagnostics_;
  const Scope* scope_ = nullptr;
  std::size_t declared_ = 0;  ///< how many blocks of the file have been declared
};

}  // namespace frontend::check
