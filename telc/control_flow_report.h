#pragma once

#include <string>

#include "codegen/pipeline.h"

namespace telc {

/// Returns the text of `--report=control-flow`: it says of each loop and conditional of a unit whose programs
/// are grids who decides it, with its place in the source: a line each, sorted by function, and then when the
/// host decides instead. The unit must have kernels. Returns nothing for a unit that the host runs, which
/// decides for itself at no cost.
std::string control_flow_report(const codegen::Unit& unit);

}  // namespace telc
