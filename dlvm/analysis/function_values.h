#pragma once

#include <unordered_set>

#include "dlvm/ir/module.h"

namespace dlvm {

/// Returns whether values of the type are functions, or hold functions.
bool holds_function(const Type& type);

/// Returns the functions that the module has as values: they may be called where no instruction names them.
std::unordered_set<const Function*> functions_that_are_values(const Module& module);

}  // namespace dlvm
