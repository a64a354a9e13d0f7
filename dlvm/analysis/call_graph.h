#pragma once

#include <vector>

#include "dlvm/ir/module.h"

namespace dlvm {

/// Returns the functions that `function` refers to: callees, combinators, and the function that it is
/// declared the gradient of.
std::vector<const Function*> references(const Function& function);

/// Functions that reach each other, or one alone.
struct Component {
  std::vector<Function*> functions;
  bool recursive = false;  ///< one of them reaches itself
};
/// Returns the strongly connected components of the references, a component after those that it refers to
/// (Tarjan 1972, without recursion, so that the stack does not grow with the depth).
std::vector<Component> call_components(const Module& module);

}  // namespace dlvm
