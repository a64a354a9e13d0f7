#include "codegen/schedule/cpu/row_tiles.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <map>
#include <numeric>
#include <set>

#include "codegen/kernel/ir/walk.h"
#include "codegen/schedule/common/contraction_builder.h"
#include "codegen/schedule/common/split_accumulation.h"
#include "codegen/schedule/common/statements.h"
#include "codegen/schedule/cpu/accumulation.h"
#include "codegen/schedule/cpu/schedule_stage.h"
#include "codegen/schedule/cpu/tile_sizes.h"
#include "dlvm/support/internal_error.h"

namespace codegen::schedule::cpu {
namespace {

using kernel::Axis;
using kernel::AxisId;
using kernel::Block;
using kernel::Stage;

/// A tile has about so many rows: a vector of the right operand is used for all of them when it is in the
/// first cache, and what a tile has beside long rows fits the second one.
constexpr std::int64_t rows_of_tile = 64;

const Axis* axis_of(const Block& block, AxisId id) {
  const auto found = std::ranges::find(block.axes, id, &Axis::id);
  return found == block.axes.end() ? nullptr : &*found;
}

bool has(const std::vector<AxisId>& group, AxisId id) { return std::ranges::find(group, id) != group.end(); }

/// Returns the contraction with the block's axis as its own first one, and its only axis of rows.
Stage with_own_axis(const Stage& stage, const Axis& axis) {
  Stage own = stage;
  own.axes.insert(own.axes.begin(), axis);
  auto& c = *own.contraction;
  for (const AxisId id : c.m)
    if (id != axis.id) c.batch.push_back(id);
  c.m = {axis.id};
  return own;
}

/// Returns the plan for the contraction with its own axis of rows as a product over tiles of rows, if it is
/// one. `has_accumulation`: a stage of the block accumulates rows.
std::optional<ProductPlan> choose_tiled(const CpuLowering& lowering, const Stage& own,
                                        bool has_accumulation) {
  const bool has_batch =
      std::ranges::any_of(own.axes, [&](const Axis& axis) { return has(own.contraction->batch, axis.id); });
  if (has_batch) return std::nullopt;  // its right operand differs between points of a tile
  auto plan = choose_product(own, lowering.schedule.buffers, lowering.target, lowering.small_m);
  if (!plan || (plan->form != ProductForm::panels && plan->form != ProductForm::streamed))
    return std::nullopt;
  if (is_wide_row(lowering, own, own.contraction->left)) plan->left_direct = true;
  // A tile has the same rows whether their number is known or not, and so an accumulated sum the same bits.
  if (has_accumulation && own.axes.front().extent.constant().value_or(0) > small_m_rows)
    plan->rows = tile_rows(lowering.target);
  plan->row_block = rows_of_tile / plan->rows * plan->rows;
  if (lowering.small_m) plan->row_block = small_m_rows / plan->rows * plan->rows;
  if (const auto rows = own.axes.front().extent.constant()) {
    const std::int64_t tiles = std::max<std::int64_t>((*rows + plan->rows - 1) / plan->rows, 1);
    plan->row_block = std::min(plan->row_block, tiles * plan->rows);
  }
  plan->row_group = plan->row_block;
  return plan;
}

/// Returns the plan for the stage that accumulates the rows `axis`, if it is a product over tiles of rows.
std::optional<ProductPlan> choose_accumulated_rows(const CpuLowering& lowering, const Stage& stage,
                                                   const Axis& axis, std::int64_t rows) {
  if (stage.accumulated != std::vector{axis.id}) return std::nullopt;
  return choose_accumulated(lowering, with_own_terms(stage, axis), rows);
}

class RowTilesBuilder {
 public:
  RowTilesBuilder(CpuLowering& lowering, const Block& block, std::uint32_t depth, AxisId rows,
                  const Renaming& outer)
      : lowering_(lowering),
        block_(block),
        depth_(depth),
        axis_(*axis_of(block, rows)),
        has_accumulation_(accumulates(block)),
        outer_(outer),
        accessed_(accessed_buffers(block)) {
    kernel::walk<Axis>(lowering.kernel.root,
                       [&](const Axis& axis) { first_axis_ = std::max(first_axis_, axis.id + 1); });
  }

  Body build() {
    std::vector<Loop> loops = open_outer_loops();
    choose_products();
    Loop tile = new_loop(lowering_, "tile", LoopKind::core, axis_.extent, rows_);
    Loop ranges = new_loop(lowering_, "rows", LoopKind::core, axis_.extent, range_rows_);
    first_ = variable(tile.id);
    if (has_ranges()) {
      ranges.range_end = range_end_ = lowering_.next_loop++;
      first_ = first_ + variable(ranges.id);
      tile.kind = LoopKind::serial;
      tile.bounds.push_back(row_bound(first_));
    }
    outer_.axes[first_axis_] = first_;
    if (has_accumulation_) tile.kind = LoopKind::serial;
    Body before, inside = widen_locals(), after;
    for (Part& part : parts_)
      if (part.product) part.product = choose_again(part);
    for (std::size_t s = 0; s < parts_.size();) {
      if (parts_[s].accumulates) {
        append(inside, accumulate_tile(parts_[s++], before, after));
        continue;
      }
      if (parts_[s].product) {
        append(inside, schedule_tile(parts_[s++], before));
        continue;
      }
      std::size_t end = s;
      while (end < parts_.size() && !parts_[end].product) ++end;
      append(inside, schedule_rows(s, end));
      s = end;
    }
    inside = around(std::move(tile), std::move(inside));
    if (range_end_) inside = around(std::move(ranges), std::move(inside));
    append(before, std::move(inside));
    append(before, std::move(after));
    return nested(std::move(loops), std::move(before));
  }

 private:
  /// A stage whose axis of rows, or of terms if it accumulates, is its own, and the plan where it is a
  /// product.
  struct Part {
    Stage stage;
    std::optional<ProductPlan> product;
    bool accumulates = false;
  };

  /// Returns whether cores compute ranges of rows, which begin with any tile of sums, so that they have about
  /// equally many. Few rows are one tile, and one core accumulates all tiles.
  bool has_ranges() const {
    const auto rows = axis_.extent.constant();
    return !lowering_.small_m && !has_accumulation_ && !(rows && *rows <= rows_);
  }
  /// Says that the row is one of the range that a core computes, if there are ranges, else one of all.
  schedule::Bound row_bound(const Index& row) const {
    if (!range_end_) return {row, axis_.extent};
    return {row + constant_index(axis_.extent) + variable(*range_end_) * Extent(-1), axis_.extent};
  }

  std::vector<Loop> open_outer_loops() {
    std::vector<Loop> loops;
    for (const Axis& axis : block_.axes)
      if (axis.id != axis_.id) loops.push_back(lowering_.over_cores(axis, outer_));
    return loops;
  }

  /// Chooses the plans. Tiles of all products have the same number of rows, since that depends on the axis
  /// and the target alone.
  void choose_products() {
    for (const auto& child : block_.children) {
      const Stage& stage = std::get<Stage>(child);
      parts_.push_back({stage, std::nullopt});
      if (!stage.contraction || !stage.accumulated.empty()) continue;
      Stage own = with_own_axis(stage, axis_);
      const auto plan = choose_tiled(lowering_, own, has_accumulation_);
      if (!plan) continue;
      parts_.back() = {std::move(own), plan};
      rows_ = plan->row_block;
      range_rows_ = std::lcm(range_rows_, plan->rows);
    }
    for (Part& part : parts_)
      if (!part.stage.accumulated.empty()) {
        part.product = choose_accumulated_rows(lowering_, part.stage, axis_, rows_);
        part.stage = with_own_terms(part.stage, axis_);
        part.accumulates = true;
      }
  }

  /// Returns the plan for the part, which was a product before its local buffers were widened.
  ProductPlan choose_again(const Part& part) const {
    if (part.accumulates) {
      const auto plan = choose_accumulated(lowering_, part.stage, rows_);
      if (!plan) dlvm::internal_error("a product accumulates no more");
      return *plan;
    }
    const auto plan = choose_tiled(lowering_, part.stage, has_accumulation_);
    if (!plan || plan->row_block != rows_) dlvm::internal_error("products of tiles of different rows");
    return *plan;
  }

  /// Returns the last stage that reads the buffer; nothing if none does.
  std::optional<std::size_t> last_reader(BufferId buffer) const {
    std::optional<std::size_t> last;
    for (std::size_t s = 0; s < parts_.size(); ++s)
      kernel::visit_accesses(parts_[s].stage, [&](const Access& access, const auto&, bool is_load) {
        if (is_load && access.buffer == buffer) last = s;
      });
    return last;
  }

  /// Returns a local buffer that the stage reads for the last time, at each point just the element that it
  /// stores to `to` there, so that both can have the same memory.
  std::optional<BufferId> replaced_by(BufferId to) const {
    const auto& buffers = lowering_.kernel.buffers;
    for (std::size_t s = 0; s < parts_.size(); ++s) {
      const Stage& stage = parts_[s].stage;
      const auto store =
          std::ranges::find(stage.stores, to, [](const auto& each) { return each.access.buffer; });
      if (store == stage.stores.end()) continue;
      if (stage.reduction || !store->bounds.empty()) return std::nullopt;
      for (BufferId from = 0; from < buffers.size(); ++from) {
        if (!is_local(from) || from == to || last_reader(from) != s ||
            buffers[from].element != buffers[to].element || buffers[from].shape != buffers[to].shape)
          continue;
        bool same = true;
        kernel::visit_accesses(stage, [&](const Access& access, const auto&, bool) {
          if (access.buffer == from) same = same && access.indices == store->access.indices;
        });
        if (same) return from;
      }
      return std::nullopt;
    }
    return std::nullopt;
  }

  bool is_local(BufferId id) const {
    const kernel::Buffer& buffer = lowering_.kernel.buffers[id];
    return buffer.space == kernel::Buffer::Space::local && buffer.depth == depth_ && accessed_.contains(id);
  }

  /// Gives the block's local buffers an axis of the tile's rows, and the stages' accesses an index for it.
  /// Rows in memory have whole vectors, and behind each there is room so that not all of them are in the same
  /// set of a cache. Returns the allocations.
  Body widen_locals() {
    std::map<BufferId, BufferId> widened;
    std::set<BufferId> replaced;
    Body body;
    for (BufferId id = 0; id < lowering_.kernel.buffers.size(); ++id) {
      if (!is_local(id)) continue;
      if (const auto from = replaced_by(id);
          from && widened.contains(*from) && replaced.insert(*from).second) {
        widened.emplace(id, widened.at(*from));
        continue;
      }
      Buffer buffer = lowering_.schedule.buffers[id];
      buffer.name += ".rows";
      const std::int64_t lanes = std::max<std::int64_t>(lowering_.target.lanes(buffer.element), 1);
      buffer.layout = dense_layout(buffer.shape);
      const Extent row = dlvm::unit_count(buffer.shape);
      const bool is_scalar = buffer.shape.empty();
      buffer.layout.strides.insert(
          buffer.layout.strides.begin(),
          is_scalar ? Extent(1) : Extent::floor_divide(row + Extent(2 * lanes - 1), lanes) * Extent(lanes));
      buffer.shape.insert(buffer.shape.begin(), rows_ + lanes);
      const BufferId wide = lowering_.add_buffer(std::move(buffer));
      lowering_.padded.insert(wide);
      widened.emplace(id, wide);
      body.push_back({Allocate{wide}});
    }
    const Index row = kernel::axis_index(axis_.id) + kernel::axis_index(first_axis_) * Extent(-1);
    for (Part& part : parts_)
      kernel::visit_accesses(part.stage, [&](Access& access, const auto&, bool) {
        const auto wide = widened.find(access.buffer);
        if (wide == widened.end()) return;
        access.buffer = wide->second;
        access.indices.insert(access.indices.begin(), row);
      });
    return body;
  }

  /// Returns the product of a tile of rows, and appends the packing of its right operand to `before`.
  Body schedule_tile(const Part& part, Body& before) {
    RowTile tile{first_, std::nullopt, range_end_};
    if (!part.product->right_direct)
      append(before, pack_right(lowering_, part.stage, outer_, *part.product, tile));
    Body body;
    body.push_back({origin(part.stage, explain(*part.product, part.stage, lowering_.small_m))});
    append(body, schedule_product(lowering_, part.stage, outer_, *part.product, &tile));
    return body;
  }

  /// Returns the sums of a tile of rows, which are added to those before, and appends to `before` and `after`
  /// what is done in front of the loop over tiles and behind it.
  Body accumulate_tile(const Part& part, Body& before, Body& after) {
    Accumulation parts = accumulate_product(lowering_, part.stage, outer_, *part.product, first_);
    const ProductPlan& plan = *part.product;
    const Statement mark{
        origin(part.stage,
               fmt::format("product accumulated over tiles of {} rows, tiles of {} x {}, left {}, right {}",
                           rows_, plan.rows, plan.columns, plan.left_direct ? "direct" : "packed",
                           plan.right_direct ? "direct" : "packed"))};
    for (Body* body : {&parts.before, &parts.inside, &parts.after})
      if (!body->empty()) body->insert(body->begin(), mark);
    append(before, std::move(parts.before));
    append(after, std::move(parts.after));
    return std::move(parts.inside);
  }

  /// Returns the stages from `begin` to `end`, which run over one row of the tile after the other.
  Body schedule_rows(std::size_t begin, std::size_t end) {
    Loop row = new_loop(lowering_, "row", LoopKind::serial, rows_);
    row.bounds.push_back(row_bound(first_ + variable(row.id)));
    Renaming at = outer_;
    at.axes[axis_.id] = first_ + variable(row.id);
    Body body;
    for (std::size_t s = begin; s < end; ++s) append(body, schedule_stage(lowering_, parts_[s].stage, at));
    return around(std::move(row), std::move(body));
  }

  CpuLowering& lowering_;
  const Block& block_;
  std::uint32_t depth_;
  const Axis& axis_;
  bool has_accumulation_;
  Renaming outer_;
  std::set<BufferId> accessed_;  ///< by the block
  AxisId first_axis_ = 0;        ///< stands for the first row of the tile in the stages' indices
  Index first_;
  std::int64_t rows_ = 1;            ///< of a tile
  std::int64_t range_rows_ = 1;      ///< a multiple of the rows of each product's tiles of sums
  std::optional<LoopId> range_end_;  ///< the end of the range of rows that a core computes
  std::deque<Part> parts_;
};

}  // namespace

std::set<BufferId> accessed_buffers(const Block& block) {
  std::set<BufferId> all;
  kernel::walk<Stage>(block, [&](const Stage& stage) {
    kernel::visit_accesses(stage,
                           [&](const Access& access, const auto&, bool) { all.insert(access.buffer); });
  });
  return all;
}

std::optional<AxisId> row_axis(const CpuLowering& lowering, const Block& block) {
  const auto is_stage = [](const auto& child) { return std::holds_alternative<Stage>(child); };
  if (!std::ranges::all_of(block.children, is_stage)) return std::nullopt;
  const bool has_accumulation = accumulates(block);
  for (std::size_t a = block.axes.size(); a-- > 0;) {
    const Axis& axis = block.axes[a];
    bool all = true, any = false;
    for (const auto& child : block.children) {
      const Stage& stage = std::get<Stage>(child);
      if (!stage.accumulated.empty()) {
        all = all && choose_accumulated_rows(lowering, stage, axis, 1);
        continue;
      }
      if (!stage.contraction) continue;
      const bool is_row = has(stage.contraction->m, axis.id);
      all = all && is_row;
      any = any || (is_row && choose_tiled(lowering, with_own_axis(stage, axis), has_accumulation));
    }
    if (all && any) return axis.id;
  }
  return std::nullopt;
}

std::optional<Extent> small_m_extent(const CpuLowering& lowering, const Block& block) {
  const auto rows = row_axis(lowering, block);
  if (!rows) return std::nullopt;
  const Axis& axis = *axis_of(block, *rows);
  for (const auto& child : block.children)
    if (const Stage& stage = std::get<Stage>(child); stage.contraction && stage.accumulated.empty())
      if (small_m_extent(with_own_axis(stage, axis), lowering.schedule.buffers, lowering.target))
        return axis.extent;
  return std::nullopt;
}

Body schedule_row_tiles(CpuLowering& lowering, const Block& block, std::uint32_t depth, AxisId rows,
                        const Renaming& outer) {
  return RowTilesBuilder(lowering, block, depth, rows, outer).build();
}

}  // namespace codegen::schedule::cpu
