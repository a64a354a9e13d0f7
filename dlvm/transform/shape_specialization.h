#pragma once

#include "dlvm/ir/module.h"
#include "dlvm/support/diagnostic.h"

namespace dlvm {

/// The pass SS. Afterwards the functions that are called from outside have the given values in the place of
/// these dimensions, and each call whose arguments have constant extents where the callee has dimensions
/// calls a copy of the callee for these extents: `@f.N4` for `@f` where N is 4. Functions that are called
/// from outside are those of the entry points; without any, all. Recursive functions have a limited number of
/// copies. Values that do not fit the shapes of a function, or its requirements, are reported. Returns
/// whether something changed.
bool shape_specialization(Module& module, const Extent::Bindings& dimensions, Diagnostics& diagnostics);

}  // namespace dlvm
