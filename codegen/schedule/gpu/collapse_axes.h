#pragma once

#include <optional>

#include "codegen/kernel/ir/kernel.h"

namespace codegen::schedule::gpu {

/// The kernel with one axis a stage and one a buffer, where all that it does is element by element in the
/// order of memory: every access is of the stage's point, row-major, or of one element for all points. Then
/// neighbours across the ends of rows may be read and written at once. Nothing where it does something else,
/// or where rows are whole vectors of 16 bytes anyway.
std::optional<kernel::Kernel> collapse_axes(const kernel::Kernel& kernel);

}  // namespace codegen::schedule::gpu
