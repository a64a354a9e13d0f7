#pragma once

#include <string>

#include "codegen/pipeline.h"
#include "dlvm/ir/module.h"

namespace telc {

/// Returns the text of `--report=kernels` for the unit of a module that the host runs: for each entry point
/// its launches in order, with their work, their part of the least time that all could take, and for each
/// stage its place in the source, how it is scheduled and why. The unit must have schedules. Returns nothing
/// for other units.
std::string kernel_report(const dlvm::Module& module, const codegen::Unit& unit);

}  // namespace telc
