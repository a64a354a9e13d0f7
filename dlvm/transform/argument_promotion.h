#pragma once

#include "dlvm/ir/module.h"

namespace dlvm {

/// A function that other functions call takes the value that a parameter points to in the place of the
/// pointer, and returns the value as it has become, where nothing else reaches that value during a call: see
/// dlvm/analysis/exclusive_pointers.h. The function that is called is a copy, `NAME.with_state`; the function
/// itself stays for those who call it from outside. Returns whether something changed.
bool argument_promotion(Module& module);

}  // namespace dlvm
