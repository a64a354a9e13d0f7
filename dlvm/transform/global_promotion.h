#pragma once

#include "dlvm/ir/module.h"

namespace dlvm {

/// GP. Afterwards each variable of the module is memory of the functions that use it: a function that is
/// called from outside begins with zeros in it, as a run does, and functions that are called from others take
/// its value and return the last one. A function of which a derivative is declared begins with zeros there,
/// and leaves the variables of those who call the derivative as they are. A variable stays if its address is
/// given away, or if a combinator uses it.
bool global_promotion(Module& module);

}  // namespace dlvm
