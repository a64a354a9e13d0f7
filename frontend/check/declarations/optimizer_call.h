#pragma once

#include <optional>
#include <vector>

#include "dlvm/support/diagnostic.h"
#include "frontend/check/declarations/optimizer_form.h"

namespace frontend::check {

/// Holds what follows `optimize with`.
struct OptimizerCall {
  Function* function = nullptr;
  OptimizerForm form;
  const ast::Call* written = nullptr;            ///< null where the function is named alone
  std::vector<const ast::Argument*> hyper = {};  ///< the arguments that are values; each has a name
};

/// Returns nothing after an error.
std::optional<OptimizerCall> find_optimizer(Scope& scope, const ast::Optimize& syntax,
                                            dlvm::Diagnostics& diagnostics);

}  // namespace frontend::check
