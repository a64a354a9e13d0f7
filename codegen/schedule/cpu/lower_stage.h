#pragma once

#include "codegen/schedule/common/lowering.h"
#include "codegen/schedule/cpu/cpu.h"

namespace codegen::schedule::cpu {

/// The stage inside of the loops that `outer` names for the blocks' axes.
Body lower_stage(Lowering& lowering, const kernel::Stage& stage, const Renaming& outer);

/// Whether the stage is computed as products of tiles; then `lower_contraction` takes it.
bool is_tiled(Lowering& lowering, const kernel::Stage& stage);
Body lower_contraction(Lowering& lowering, const kernel::Stage& stage, const Renaming& outer);
/// When the stage has few rows, where that makes a difference that is not known when compiling.
std::optional<Guard> few_rows_guard(Lowering& lowering, const kernel::Stage& stage);

/// Which of the stage's own axes is to be the vector's, if any, and its width in lanes.
struct VectorChoice {
  std::optional<std::size_t> axis;  ///< position in the stage's axes
  unsigned width = 1;
};
VectorChoice choose_vector(const kernel::Kernel& kernel, const kernel::Stage& stage,
                           const Processor& processor);

}  // namespace codegen::schedule::cpu
