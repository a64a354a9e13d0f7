#pragma once

#include <optional>

#include "codegen/kernel/ir/kernel.h"
#include "codegen/schedule/gpu/target.h"

namespace codegen::schedule::gpu {

/// Returns the kernel with one axis a stage and one a buffer, where all that it does is element by element in
/// the order of memory: every access is of the stage's point, row-major, or of one element for all points.
/// Then neighbours across the ends of rows may be read and written at once. Returns nothing where it does
/// something else, or where rows are whole vectors of `access_bytes` anyway.
std::optional<kernel::Kernel> collapse_axes(const kernel::Kernel& kernel, const GpuTarget& target);

}  // namespace codegen::schedule::gpu
