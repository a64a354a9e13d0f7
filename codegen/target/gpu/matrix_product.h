#pragma once

#include "codegen/emit/emitter.h"

namespace codegen::target::gpu {

/// Emits a product of two panels in shared memory by matrix instructions, for warps of `warp` threads. The
/// sums are a tile that is distributed over the registers of the block's threads.
void emit_matrix_product(emit::Emitter& emitter, const schedule::MultiplyAccumulate& multiply, unsigned warp);

}  // namespace codegen::target::gpu
