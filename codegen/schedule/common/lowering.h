#pragma once

#include "codegen/schedule/ir/index.h"

namespace codegen::schedule {

namespace cpu {
struct Processor;
}
namespace gpu {
struct Chip;
}

/// What a variant's guards say of rows whose length is no constant.
struct DynamicRowLength {
  Extent extent;
  std::int64_t least = 0;
  std::optional<std::int64_t> most;
};

/// What the lowering of one kernel shares, for a processor or a GPU.
struct Lowering {
  const kernel::Kernel& kernel;
  const cpu::Processor* processor = nullptr;
  Schedule schedule;
  LoopId next_loop = 0;
  ValueId next_value = 0;
  bool few_rows = false;            ///< the variant for few rows of contractions is being made
  const gpu::Chip* chip = nullptr;  ///< of a GPU
  bool tf32 = false;                ///< see gpu.h
  std::optional<DynamicRowLength> row = std::nullopt;  ///< of a GPU, see dynamic_rows.h

  /// A loop over the axis, whose variable takes the axis's place in `renaming`.
  Loop serial(const kernel::Axis& axis, Renaming& renaming);
  BufferId add_buffer(Buffer buffer);
};

/// Whether the place depends on loaded values.
bool has_loaded(const Access& access);
/// Whether the points of the stage must run in order: a scatter.
bool runs_in_order(const kernel::Stage& stage);

}  // namespace codegen::schedule
