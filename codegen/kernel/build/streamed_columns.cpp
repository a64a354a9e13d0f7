#include "codegen/kernel/build/streamed_columns.h"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "codegen/kernel/build/weighted_rows.h"
#include "codegen/kernel/ir/rename_axes.h"
#include "codegen/kernel/ir/walk.h"

namespace codegen::kernel {
namespace {

/// Rewrites one kernel.
class Streaming {
 public:
  explicit Streaming(Kernel kernel) : kernel_(std::move(kernel)) {}

  std::optional<Kernel> run() {
    Block* rows = &kernel_.root;
    if (rows->axes.empty() && rows->children.size() == 1) {
      rows = std::get_if<Block>(&rows->children.front());
      depth_ = 1;
    }
    if (rows == nullptr || rows->axes.empty()) return std::nullopt;
    std::vector<Stage> stages;
    for (const auto& child : rows->children) {
      const auto* stage = std::get_if<Stage>(&child);
      if (stage == nullptr || !add(*stage)) return std::nullopt;
      stages.push_back(*stage);
    }
    const bool reads_columns =
        std::ranges::all_of(stages, [&](const Stage& stage) { return reads_at_column(stage); });
    if (!has_sums_ || !reads_columns || (is_few(column_.extent) && is_few(row_count(*rows, stages[0]))))
      return std::nullopt;
    rows->children.clear();
    rows->children.emplace_back(in_block(std::move(stages)));
    return std::move(kernel_);
  }

 private:
  static bool is_few(const Extent& extent) {
    return extent.constant().value_or(few_columns + 1) <= few_columns;
  }
  static Extent row_count(const Block& rows, const Stage& stage) {
    Extent count = 1;
    for (const Axis& axis : rows.axes)
      if (std::ranges::count(stage.contraction->m, axis.id) > 0) count = count * axis.extent;
    return count;
  }

  /// Returns the axis of the stage over the columns: its own if it computes an element for each of them, or
  /// the one that a contraction sums over.
  const Axis* column_of(const Stage& stage) const {
    return only_axis(stage, sums_columns(stage) ? AxisKind::reduced : AxisKind::parallel);
  }
  /// Returns whether the stage is a contraction that stores to no local buffer.
  bool sums_columns(const Stage& stage) const {
    return stage.contraction && std::ranges::none_of(stage.stores, [&](const Store& store) {
             return kernel_.buffers[store.access.buffer].space == Buffer::Space::local;
           });
  }

  /// Adds a stage; returns whether it is of one of the two kinds.
  bool add(const Stage& stage) {
    const Axis* axis = column_of(stage);
    if (axis == nullptr || stage.sorting || !stage.accumulated.empty() || !is_column(*axis)) return false;
    if (stage.reduction && (!is_float32_product(stage) || stage.contraction->batch.empty())) return false;
    if (sums_columns(stage)) {
      has_sums_ = true;
      return stage.contraction->k == std::vector{axis->id};
    }
    if (stage.contraction && stage.contraction->n != std::vector{axis->id}) return false;
    return std::ranges::all_of(stage.stores, [&](const Store& store) {
      const Buffer& buffer = kernel_.buffers[store.access.buffer];
      elements_.insert(store.access.buffer);
      return buffer.space == Buffer::Space::local && buffer.depth == depth_ && store.bounds.empty() &&
             !store.combine && store.access.indices == Indices{axis_index(axis->id)};
    });
  }

  /// Returns whether the axis has as many points as there are columns; the first one that is asked for says.
  bool is_column(const Axis& axis) {
    if (!has_column_) column_ = axis;
    has_column_ = true;
    return column_.extent == axis.extent;
  }

  /// Returns whether the stage reads elements at its column alone, and nothing that others sum.
  bool reads_at_column(const Stage& stage) const {
    bool all = true;
    visit_accesses(stage, [&](const Access& access, const std::vector<Bound>& bounds, bool is_load) {
      if (!is_load || kernel_.buffers[access.buffer].space != Buffer::Space::local) {
        all = all && !(is_load && kernel_.buffers[access.buffer].written);
        return;
      }
      all = all && elements_.contains(access.buffer) && bounds.empty() &&
            access.indices == Indices{axis_index(column_of(stage)->id)};
    });
    return all;
  }

  /// Returns the block over the columns, with the stages as they are at one of them.
  Block in_block(std::vector<Stage> stages) {
    Block columns;
    columns.axes.push_back(column_);
    columns.axes[0].kind = AxisKind::parallel;
    for (Stage& stage : stages) {
      const AxisId own = column_of(stage)->id;
      if (sums_columns(stage)) stage.accumulated = {column_.id};
      std::erase_if(stage.axes, [&](const Axis& axis) { return axis.id == own; });
      rename_axes(stage, {{own, column_.id}});
      visit_accesses(stage, [&](Access& access, const auto&, bool) {
        if (elements_.contains(access.buffer)) access.indices.clear();
      });
      columns.children.emplace_back(std::move(stage));
    }
    for (const BufferId id : elements_) {
      kernel_.buffers[id].shape.clear();
      kernel_.buffers[id].depth = depth_ + 1;
    }
    return columns;
  }

  Kernel kernel_;
  std::uint32_t depth_ = 0;  ///< of the block of the rows
  Axis column_;
  bool has_column_ = false, has_sums_ = false;
  std::set<BufferId> elements_;  ///< local buffers that have an element for each column
};

}  // namespace

std::optional<Kernel> stream_columns(const Kernel& kernel) { return Streaming(kernel).run(); }

}  // namespace codegen::kernel
