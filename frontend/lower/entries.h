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

/// Makes the functions `(key: u64) -> type` that compute initial values: one for each parameter or state of
/// the module, and one for each of a net, which all instances of the net for the same extents share. States
/// of one type that begin with zeros share one, as what an optimizer keeps.
class Initializers {
 public:
  explicit Initializers(Functions& functions) : functions_(functions) {}
  const dlvm::Function& of(const Declaration& stored);

 private:
  dlvm::Function* make(const Declaration& written, const std::string& name);

  Functions& functions_;
  std::map<const Declaration*, const dlvm::Function*> made_;
  std::map<std::string, const dlvm::Function*> zeros_;  ///< by the type's text
};

}  // namespace frontend::lower
