// A checked program to a DLVM module.
#pragma once

#include <memory>

#include "dlvm/ir/module.h"
#include "frontend/check/checked_module.h"

namespace frontend::lower {

/// A function for each entry point, for each function of the program that one calls (one an instance), and
/// for each initializer; stored tensors and entry points described. Stage raw. Gradients are declared and not
/// asked for: whether differentiation has them is checked after it.
std::unique_ptr<dlvm::Module> lower(const check::Program& program);

/// The same without what is not differentiated: for a check of the derivatives alone.
std::unique_ptr<dlvm::Module> lower_gradients(const check::Program& program);

}  // namespace frontend::lower
