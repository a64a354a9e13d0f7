// Derivatives that are not known or are zero, in the words of the program.
#pragma once

#include <functional>
#include <memory>

#include "dlvm/ir/module.h"
#include "dlvm/support/diagnostic.h"
#include "frontend/check/checked_module.h"

namespace frontend::derivatives {

/// Asks differentiation for the derivatives of the program's entry points and reports those that it does not
/// have; arguments with the same cause share a message. `module` is the program lowered; `expanded`, where it
/// is not null, is the same program without enums, whose derivatives are then asked for. `lower_again`
/// returns the program lowered once more; it is called where gradients are taken of gradients. Takes the
/// entry point `gradient` out of a module without a loss where no out has a known derivative, with a warning.
void check_derivatives(const check::Program& program, dlvm::Module& module, const dlvm::Module* expanded,
                       const std::function<std::unique_ptr<dlvm::Module>()>& lower_again,
                       dlvm::Diagnostics& diagnostics);

}  // namespace frontend::derivatives
