#pragma once

#include <map>
#include <set>

#include "dlvm/ir/module.h"

namespace dlvm {

/// The positions of parameters of functions, in order.
using ParametersOf = std::map<const Function*, std::set<std::size_t>>;

/// Returns the parameters that are pointers to a value which nothing else reaches during a call, of functions
/// that other functions call. Such a function can take the value, and return it as it has become:
///  - The function loads the value, stores it, and points to components of it, and passes such pointers to
///    parameters of the same kind. It does nothing else with the pointer.
///  - Each call passes the address of memory, or of a component of it, whose address goes nowhere else; of a
///    variable of the module, only where the callee does not use that.
///  - No call passes pointers to two parameters which may point to a common component.
ParametersOf exclusive_pointers(const Module& module);

}  // namespace dlvm
