// The names of nets: entered once, before anything is checked.
#pragma once

#include "dlvm/support/diagnostic.h"
#include "frontend/check/checked_module.h"

namespace frontend::check {

/// The most levels of nets inside each other.
inline constexpr std::size_t net_nesting_limit = 256;

/// Enters the nets of every file and what they declare, except for their functions.
void declare_nets(Program& program, dlvm::Diagnostics& diagnostics);
/// Finds the net of every instance, after the nets of all files have been entered. Reports nets that contain
/// themselves.
void resolve_nets(Program& program, dlvm::Diagnostics& diagnostics);

}  // namespace frontend::check
