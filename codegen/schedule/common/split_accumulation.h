#pragma once

#include "codegen/kernel/ir/kernel.h"

namespace codegen::schedule {

/// Returns whether a stage of the block, or of one of the kernel's blocks, accumulates.
bool accumulates(const kernel::Block& block);
bool has_accumulation(const kernel::Kernel& kernel);

/// Returns a kernel that computes the same without stages that accumulate. Each of these becomes a stage of
/// its own behind the block, and what it reads of the block's local buffers is kept for all of the block's
/// points.
kernel::Kernel split_accumulation(kernel::Kernel kernel);

}  // namespace codegen::schedule
