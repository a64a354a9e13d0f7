#pragma once

#include <functional>
#include <vector>

#include "dlvm/ir/module.h"

namespace dlvm {

/// Returns whether an extent in the type is erased.
bool has_erased(const Type& type);

/// Gives the erased extents in a function's type those that they stand for: in its result, those of the
/// values that its body returns, where all of them agree; in the type of a gradient declaration, those of the
/// function that it differentiates, whose own are known. What stands for nothing known stays erased. Calls
/// take their types from that of the callee, so that they are read afterwards.
void resolve_erased_type(Function& function);

/// Returns the functions in an order in which each stands behind those that `needed` gives for it, but where
/// they need each other; otherwise as they are.
std::vector<Function*> ordered_by_need(const std::vector<Function*>& functions,
                                       const std::function<std::vector<Function*>(const Function&)>& needed);

}  // namespace dlvm
