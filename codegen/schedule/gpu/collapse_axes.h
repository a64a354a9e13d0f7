#pragma once

#include <optional>

#include "codegen/kernel/ir/kernel.h"
#include "codegen/schedule/gpu/target.h"

namespace codegen::schedule::gpu {

/// Returns the kernel with one axis for each stage and for each buffer, if it works element by element in the
/// order of memory: every access is row-major at the stage's point, or to one element for all points.
/// Neighbours across the ends of rows may then be accessed at once. Returns nothing for other kernels, and if
/// rows are whole vectors of `access_bytes` anyway.
std::optional<kernel::Kernel> collapse_axes(const kernel::Kernel& kernel, const GpuTarget& target);

}  // namespace codegen::schedule::gpu
