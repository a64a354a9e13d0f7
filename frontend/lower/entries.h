// Entry points: their functions, and what each argument and result is.
#pragma once

#include <map>

#include "frontend/lower/body.h"

namespace frontend::lower {

/// Makes the entry point's function (or, of a gradient, the function that is differentiated and its
/// declaration) and adds its description to the module. A gradient of nothing, where no out is floating-point
/// and there is no loss, is left out.
void lower_entry(const check::Program& program, const check::Entry& entry, Functions& functions,
                 dlvm::Module& module);

/// Makes the functions `(seed: u64) -> type` that compute the initial values of parameters and states.
/// Instances of a net for the same extents share those that draw no random numbers.
class Initializers {
 public:
  explicit Initializers(Functions& functions) : functions_(functions) {}
  const dlvm::Function& of(const Declaration& stored);

 private:
  dlvm::Function* make(const Declaration& stored);

  Functions& functions_;
  std::map<const Declaration*, const dlvm::Function*> made_;
};

}  // namespace frontend::lower
