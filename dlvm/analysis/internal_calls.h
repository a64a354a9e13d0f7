#pragma once

#include <unordered_map>
#include <vector>

#include "dlvm/ir/module.h"

namespace dlvm {

/// Returns whether there are functions that are neither those of entry points nor initializers.
bool has_internal_functions(const Module& module);

/// Functions to which all references are calls, with these.
using InternalCalls = std::unordered_map<const Function*, std::vector<Instruction*>>;

/// Returns the functions that only calls refer to, so that parameters and results may change if the calls
/// change with them. Those of entry points and initializers, functions that are values, combinators,
/// functions that a declaration names and derivatives are not among them; in a module without entry points,
/// there are none.
InternalCalls find_internal_calls(const Module& module);

}  // namespace dlvm
