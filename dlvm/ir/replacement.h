#pragma once

#include "dlvm/ir/module.h"

/// Scatters that put their updates in the place of what was there: their combinator is a function that gives
/// the second of two scalars.
namespace dlvm {

/// Returns that function; adds it if the module lacks it.
const Function* replacement(Module& module, ElementType element);

/// Returns whether the combinator gives the update, whatever the element was.
bool replaces(const Combinator& combinator);

}  // namespace dlvm
