#pragma once

#include <unordered_set>
#include <vector>

#include "dlvm/ir/module.h"

namespace dlvm {

/// Returns the functions that the instruction refers to: a callee, or a combinator.
std::vector<const Function*> references(const Instruction& instruction);
/// Returns the functions that `function` refers to: callees, combinators, the function that it is declared
/// the gradient of, and the one that is its derivative.
std::vector<const Function*> references(const Function& function);

/// Returns the functions with all that they refer to, directly or by others.
std::unordered_set<const Function*> reached_functions(std::vector<const Function*> from);
/// Returns the functions that gradient declarations reach, and these.
std::unordered_set<const Function*> differentiated_functions(const Module& module);

/// Functions that reach each other, or one alone.
struct Component {
  std::vector<Function*> functions;
  bool recursive = false;  ///< one of them reaches itself
};
/// Returns the strongly connected components of the references, a component after those that it refers to
/// (Tarjan 1972, without recursion, so that the stack does not grow with the depth).
std::vector<Component> call_components(const Module& module);
/// Does so without what functions refer to that have a derivative of their own: as differentiation sees them,
/// which does not look into them.
std::vector<Component> differentiated_components(const Module& module);

}  // namespace dlvm
