#pragma once

#include "codegen/schedule/chip.h"
#include "codegen/schedule/cpu.h"
#include "codegen/schedule/index.h"

namespace codegen::schedule {

/// What the lowering of one kernel shares.
struct Lowering {
  const kernel::Kernel& kernel;
  const Processor& processor;
  Schedule schedule;
  LoopId next_loop = 0;
  ValueId next_value = 0;
  bool few_rows = false;       ///< the variant for few rows of contractions is being made
  const Chip* chip = nullptr;  ///< of a device
  bool tf32 = false;           ///< see gpu.h

  /// A loop over the axis, whose variable takes the axis's place in `renaming`.
  Loop serial(const kernel::Axis& axis, Renaming& renaming);
  BufferId add_buffer(Buffer buffer);
};

/// The stage inside of the loops that `outer` names for the blocks' axes.
Body lower_stage(Lowering& lowering, const kernel::Stage& stage, const Renaming& outer);

/// Whether the stage is computed as products of tiles; then `lower_contraction` takes it.
bool is_tiled(const Lowering& lowering, const kernel::Stage& stage);
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

/// Whether the points of the stage must run in order: a scatter.
bool runs_in_order(const kernel::Stage& stage);

}  // namespace codegen::schedule
