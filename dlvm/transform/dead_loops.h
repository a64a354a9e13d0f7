#pragma once

#include "dlvm/analysis/effects.h"
#include "dlvm/ir/function.h"

namespace dlvm {

/// Removes loops that surely end, cannot fail, have no effect and compute nothing that is used behind them;
/// returns whether there were any.
bool remove_dead_loops(Function& function, const Effects& effects);

}  // namespace dlvm
