#pragma once

#include "codegen/schedule/common/contraction_builder.h"
#include "codegen/schedule/cpu/choose.h"
#include "codegen/schedule/cpu/lowering.h"

namespace codegen::schedule::cpu {

/// Returns `from` - `index`.
Index less(const Extent& from, const Index& index);

/// Holds what the loop nests of all products on one core have in common: the state from which they are built,
/// their panels, how they begin, and what becomes of a tile of sums.
struct ProductNest {
  ProductNest(CpuLowering& lowering, const kernel::Stage& stage, const Renaming& outer,
              const ProductPlan& plan)
      : lowering(lowering), builder(lowering, stage, outer), stage(stage), plan(plan), axes(stage) {}

  /// Returns the number of sums in a vector.
  std::int64_t lanes() const { return lowering.target.lanes(builder.type); }
  /// Returns the least multiple of the number of lanes that is not below `count`.
  std::int64_t whole_vectors(std::int64_t count) const { return (count + lanes() - 1) / lanes() * lanes(); }

  /// Adds a buffer of sums or operands and returns its id.
  BufferId add_panel(const char* name, const Shape& shape, Space space = Space::panel);
  /// Returns loops over the axes, which it binds in `at`.
  std::vector<Loop> open(const std::vector<const kernel::Axis*>& all, Renaming& at,
                         LoopKind kind = LoopKind::serial);
  /// Returns `body`, which `build` makes, inside of core loops over the batch axes.
  template <typename Build>
  Body in_batch(Build build) {
    std::vector<const kernel::Axis*> batch;
    for (const kernel::Axis& axis : stage.axes)
      if (std::ranges::find(stage.contraction->batch, axis.id) != stage.contraction->batch.end())
        batch.push_back(&axis);
    std::vector<Loop> loops = open(batch, builder.outer, LoopKind::core);
    return nested(std::move(loops), build());
  }

  /// Returns `body` where 0 <= index < end holds, and nothing elsewhere.
  Body where(const char* name, Bound holds, Body body);
  /// Returns what `of` makes for the tile of rows that begins at `row`: `of` takes the number of its rows and
  /// how many of these are there. The rows that are left over are a tile of their own if their number is
  /// known.
  template <typename Of>
  Body for_rows(const Index& row, Of of) {
    const auto all = axes.m.extent.constant();
    if (!all) return of(plan.rows, less(axes.m.extent, row));
    const std::int64_t rest = *all % plan.rows, whole = *all - rest;
    if (rest == 0) return of(plan.rows, constant_index(plan.rows));
    if (whole == 0) return of(rest, constant_index(rest));
    Body body = where("whole_rows", {row, whole}, of(plan.rows, constant_index(plan.rows)));
    append(body, where("last_rows", {row + constant_index(-whole), rest}, of(rest, constant_index(rest))));
    return body;
  }

  /// Sums in memory: element [i, j] is the sum of row `row` + i and column `column` + j, and `rows` or fewer
  /// rows with the plan's columns are there.
  struct Sums {
    Access first;  ///< without the last two indices
    Index inside;  ///< the first row in memory
    const AxisGroup& m;
    Index row;
    std::int64_t rows;
    const AxisGroup& n;
    Index column;
  };
  /// Returns loops over those of the sums that are elements of the result, with the epilogue. `at` binds the
  /// axes of the result that are neither of `m` nor of `n`.
  Body finish(const Sums& sums, const Renaming& at);
  /// Returns the same statements for a place where it is known whether all of the sums are elements of the
  /// result: if `is_whole`, they have neither masks nor loops.
  Body finish_tile(const Sums& sums, const Renaming& outer, bool is_whole);
  /// Returns whether tiles that are whole get statements of their own. These are worth their size where the
  /// number of columns is not known, so that the other tiles have masks, and where a short epilogue of the
  /// product's type is computed one vector at a time. `n` are the columns.
  bool treats_whole_tiles(const AxisGroup& n) const;
  /// Returns `of(true)` where all of the sums are elements of the result, and `of(false)` elsewhere.
  template <typename Of>
  Body by_wholeness(const Sums& sums, Of of) {
    const Index missing = missing_sides(sums);
    Body body = where("whole", {missing, 1}, of(true));
    append(body, where("partial", {missing + constant_index(-1), 2}, of(false)));
    return body;
  }
  /// Returns statements that compute those of the sums again that are NaN, if terms are masked
  /// (masked_sum.h). `finish` has them.
  Body repeat(const Sums& sums, const Renaming& at);

  /// Returns statements that make the register `found` NaN if one of the sums is NaN or infinite.
  Body find_nan(const Sums& sums, BufferId found);
  /// Returns statements that test whether all of the packed left operand is finite, if terms are masked: then
  /// `repeat` need not look at the sums. `rows`: those of a part of the panel; `all`: those of all parts.
  Body test_left(BufferId panel, std::int64_t rows, std::int64_t all);

  CpuLowering& lowering;
  ContractionBuilder builder;
  const kernel::Stage& stage;
  const ProductPlan& plan;
  ProductAxes axes;

 private:
  /// Returns on how many sides of the tile sums are no elements of the result: 0, 1 or 2.
  Index missing_sides(const Sums& sums) const;
  /// Returns statements that make `found` NaN if a number that the loops around it read is NaN or infinite.
  Body find_nan(Loop lane, std::vector<Loop> loops, Scalar::Load number, BufferId found);

  /// The number that is NaN if an element of the left operand is not finite, if that was tested.
  std::optional<BufferId> nan_of_left_;
};

}  // namespace codegen::schedule::cpu
