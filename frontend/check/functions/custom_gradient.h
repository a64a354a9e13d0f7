#pragma once

#include "dlvm/support/diagnostic.h"
#include "frontend/check/checked_module.h"

namespace frontend::check {

/// Makes a function of each `custom gradient f(x, dy) { … }`, after the functions have been declared: its
/// types follow from the signature of `f`.
void declare_custom_gradients(Program& program, dlvm::Diagnostics& diagnostics);

/// Returns the call of the custom gradient `function` that belongs to a call of what it is the gradient of.
Instance arguments_of_custom_gradient(const Instance& instance, const Function& function);

}  // namespace frontend::check
