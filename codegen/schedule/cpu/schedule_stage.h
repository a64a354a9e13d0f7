#pragma once

#include "codegen/schedule/cpu/choose.h"
#include "codegen/schedule/cpu/lowering.h"
#include "codegen/schedule/cpu/rows_ahead.h"

namespace codegen::schedule::cpu {

/// Returns the loops that compute the stage as `choose` decides, inside the loops to which `outer` binds the
/// blocks' axes. `ahead`: rows of memory that the stage fetches, if there are any.
Body schedule_stage(CpuLowering& lowering, const kernel::Stage& stage, const Renaming& outer,
                    const RowsAhead* ahead = nullptr);

/// Returns the loops of a column reduction, of a plan whose `columns` are more than 1.
Body schedule_columns(CpuLowering& lowering, const kernel::Stage& stage, const Renaming& outer,
                      const PointsPlan& plan);

/// Rows of a product, from `first` on as many as its plan has in a block, and the buffer with its packed
/// right operand, if that is not read from where it is. If a core computes a range of rows, `range_end` is
/// the loop variable that is the end of it.
struct RowTile {
  Index first;
  std::optional<BufferId> right;
  std::optional<LoopId> range_end = {};
};
/// Return the loops over tiles that compute a contraction: `schedule_product` one of any plan, maybe of a
/// tile of its rows alone, the others one of the form that they are named after.
Body schedule_streamed_product(CpuLowering& lowering, const kernel::Stage& stage, const Renaming& outer,
                               const ProductPlan& plan, const RowTile* tile);
Body schedule_lines_product(CpuLowering& lowering, const kernel::Stage& stage, const Renaming& outer,
                            const ProductPlan& plan);
Body schedule_lanes_product(CpuLowering& lowering, const kernel::Stage& stage, const Renaming& outer,
                            const ProductPlan& plan);
Body schedule_windows_product(CpuLowering& lowering, const kernel::Stage& stage, const Renaming& outer,
                              const ProductPlan& plan);
Body schedule_pixels_product(CpuLowering& lowering, const kernel::Stage& stage, const Renaming& outer,
                             const ProductPlan& plan);
Body schedule_rows_product(CpuLowering& lowering, const kernel::Stage& stage, const Renaming& outer,
                           const ProductPlan& plan);
Body schedule_product(CpuLowering& lowering, const kernel::Stage& stage, const Renaming& outer,
                      const ProductPlan& plan, const RowTile* tile = nullptr);

/// The statements of a stage that accumulates: those in front of the loop over tiles of its terms, those
/// inside, and those behind.
struct Accumulation {
  Body before, inside, after;
};
/// Returns the statements of a contraction that adds a tile of terms at a time, from `first` on, to sums in
/// memory (accumulation.h). Each tile has a chain of its own.
Accumulation accumulate_product(CpuLowering& lowering, const kernel::Stage& own, const Renaming& outer,
                                const ProductPlan& plan, const Index& first);

/// Returns statements that pack all of a product's right operand into a buffer, which becomes `tile.right`.
Body pack_right(CpuLowering& lowering, const kernel::Stage& stage, const Renaming& outer,
                const ProductPlan& plan, RowTile& tile);

}  // namespace codegen::schedule::cpu
