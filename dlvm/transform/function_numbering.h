#pragma once

#include "dlvm/ir/module.h"

namespace dlvm {

/// Returns whether something in the module is a function as a value, or takes one.
bool has_function_values(const Module& module);

/// Makes direct calls of calls of values that are known functions of the module. Returns whether there were
/// any. Inlining is to follow, which may make more values known.
bool resolve_function_values(Module& module);

/// FN. Afterwards no value is a function or holds one (defunctionalisation, Reynolds 1972): a value of a
/// function type is the number (i32) of one of the functions that the module has as values, and its call
/// chooses by conditionals among direct calls of those that have its type. 0 is a function that is undefined,
/// whose call traps. Types of functions, and of gradient declarations, change with those of their parameters,
/// and so do the declarations of structs and enums with functions in them. Nothing changes where a function
/// of constant extents may be called with dimensions.
bool function_numbering(Module& module);

}  // namespace dlvm
