// Next values that are the state itself, where `training` is what it is in an entry point.
#pragma once

#include "frontend/check/checked_module.h"

namespace frontend::check {

/// Returns whether the next value is the state as it was in entry points in which `training` has that value,
/// as it is written: conditions on `training` are decided, and functions, names and `let` are looked through.
/// An entry point without other uses for the state does not take it then.
bool keeps_state(const Declaration& next, bool training);

}  // namespace frontend::check
