// The types of functions that take and return the leaves of compound values (see expanded_type.h).
#pragma once

#include <functional>
#include <unordered_set>

#include "dlvm/ir/module.h"

namespace dlvm {

using FunctionSet = std::unordered_set<const Function*>;
/// Whether the body of a function can be expanded where the types of those functions are.
using CanBeExpanded = std::function<bool(Function&, const FunctionSet&)>;

/// Gives functions that are called inside the module alone types without compound values, and adapts what is
/// declared of their gradients; returns these functions. In a canonical module these are all that can be, or
/// none if it has no entry points; before differentiation, those that take or return an enum, since no
/// derivative leads through an enum. Without entry points, functions that no other one refers to are called
/// from outside.
FunctionSet expand_function_types(Module& module, const CanBeExpanded& can_be);

}  // namespace dlvm
