#pragma once

#include "codegen/kernel/ir/program.h"
#include "codegen/schedule/gpu/target.h"

namespace codegen::target::gpu {

/// Launches one after the other become one where their kernels together are small
/// (schedule/gpu/small_network.h) and have few instructions as one block (schedule/gpu/single_block.h), as
/// many as there are at a time: a launch costs more than what a small kernel does. The joined kernel runs the
/// stages of all of them in turn, as wholes; a value that none but these launches touch is its local buffer,
/// of two such values that are alike and do not meet the same. Kernels that are no longer launched are gone.
void join_launches(kernel::Program& program, const schedule::gpu::GpuTarget& target);

}  // namespace codegen::target::gpu
