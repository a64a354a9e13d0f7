#pragma once

#include "dlvm/ir/module.h"

namespace dlvm {

/// GP. Afterwards each variable of the module is memory of the functions that use it: a function that is
/// called from outside begins with zeros in it, as a run does, and functions that are called from others take
/// its value and return the last one. A function of which a derivative is declared begins with zeros, too. A
/// variable stays if its address is given away, if a combinator uses it, or if a function uses it and calls a
/// derivative of one that does.
bool global_promotion(Module& module);

}  // namespace dlvm
