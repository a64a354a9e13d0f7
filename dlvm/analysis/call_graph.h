#pragma once

#include <vector>

#include "dlvm/ir/module.h"

namespace dlvm {

/// The functions that `function` refers to: callees, combinators, and what it is declared the gradient of.
std::vector<const Function*> references(const Function& function);

/// Functions that reach each other, or one alone.
struct Component {
  std::vector<Function*> functions;
  bool recursive = false;  ///< one of them reaches itself
};
/// The strongly connected components of the references, what is referred to first (Tarjan 1972, without
/// recursion, so that depth costs no stack).
std::vector<Component> call_components(const Module& module);

}  // namespace dlvm
