// A checked program to a DLVM module.
#pragma once

#include <memory>

#include "dlvm/ir/module.h"
#include "frontend/check/checked_module.h"

namespace frontend::lower {

/// Makes a module of stage raw: a function for each entry point, for each function of the program that one
/// calls (one for each instance), and for each initializer, and the descriptions of stored tensors and entry
/// points. Gradients are declared only; whether differentiation can take them is checked after it.
/// Reports gradients inside expressions that nothing leads to; the module is legal all the same.
std::unique_ptr<dlvm::Module> lower(const check::Program& program, dlvm::Diagnostics& diagnostics);

/// Makes a module without the parts in which nothing is differentiated, to check the derivatives alone.
std::unique_ptr<dlvm::Module> lower_gradients(const check::Program& program, dlvm::Diagnostics& diagnostics);

}  // namespace frontend::lower
