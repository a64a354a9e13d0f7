#pragma once

#include <functional>
#include <span>

#include "dlvm/analysis/call_graph.h"

namespace dlvm {

/// RE. Afterwards no function calls itself, directly or by others. It goes round a loop instead: a call
/// pushes the values that live across it and a number of the place to return to, and goes to the body of the
/// callee; a return takes them off again. The stacks hold as many calls as the dimension `FUNCTION_depth`
/// says, which the caller gives; what goes deeper is an error. Functions stay as they are if one of the
/// functions that call each other has no body or requirements, is called with other extents, or takes or
/// returns a tuple of which a part is neither a tensor nor split by AE.
bool recursion_elimination(Module& module);
/// Runs RE on those groups of functions alone for which `concerns` is true.
bool recursion_elimination(Module& module, const std::function<bool(const Component&)>& concerns);
/// Returns whether one of the functions takes or returns an address.
bool takes_address(const Component& component);

/// Returns the function as RE makes it, but with stacks of any size. Null if it does not call itself, or RE
/// leaves it as it is. `components` are those of the module.
std::unique_ptr<Function> without_recursion(std::span<const Component> components, const Function& function);

}  // namespace dlvm
