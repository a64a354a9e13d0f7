#pragma once

#include <map>

#include "codegen/kernel/ir/kernel.h"

namespace codegen::kernel {

/// Replaces axes in all indices of the stage and in the lists of axes of its contraction. The stage's own
/// axes and those that it accumulates keep their ids.
void rename_axes(Stage& stage, const std::map<AxisId, AxisId>& names);

}  // namespace codegen::kernel
