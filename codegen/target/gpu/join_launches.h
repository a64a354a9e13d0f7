#pragma once

#include "codegen/kernel/ir/program.h"
#include "codegen/schedule/gpu/target.h"

namespace codegen::target::gpu {

/// Joins consecutive launches into one if their kernels together are small (schedule/gpu/small_network.h) and
/// have few instructions as one block (schedule/gpu/single_block.h). It joins as many at a time as possible,
/// because a launch costs more than the work of a small kernel. The joined kernel runs the stages of all of
/// them in turn, each as a whole. A value that only these launches touch becomes its local buffer; two such
/// values of equal type and shape share one buffer if their lifetimes do not intersect. Kernels that no
/// launch refers to any more are removed.
void join_launches(kernel::Program& program, const schedule::gpu::GpuTarget& target);

}  // namespace codegen::target::gpu
