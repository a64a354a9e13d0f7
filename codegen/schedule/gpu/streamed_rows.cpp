#include "codegen/schedule/gpu/streamed_rows.h"

#include <algorithm>

#include "codegen/kernel/ir/contraction.h"
#include "codegen/kernel/ir/walk.h"
#include "codegen/schedule/common/axis_group.h"
#include "codegen/schedule/gpu/online_rows.h"

namespace codegen::schedule::gpu {
namespace {

using kernel::AxisId;
using kernel::AxisKind;
using kernel::Stage;

/// The most columns that all sums of a kernel have, which are in the registers of a block.
constexpr std::int64_t max_columns = 256;

/// Finds the parts of one kernel.
class Finder {
 public:
  explicit Finder(const kernel::Kernel& kernel) : kernel_(kernel) {}

  std::optional<StreamedRows> run() {
    found_.rows = kernel_.root.axes.empty() ? only_child<kernel::Block>(kernel_.root) : &kernel_.root;
    found_.columns = found_.rows == nullptr ? nullptr : only_child<kernel::Block>(*found_.rows);
    if (found_.columns == nullptr || found_.columns->axes.size() != 1) return std::nullopt;
    column_ = found_.columns->axes[0].id;
    for (const auto& child : found_.columns->children) {
      const auto* stage = std::get_if<Stage>(&child);
      if (stage == nullptr || !is_f32_product(*stage) || stage->reduction->types.size() != 1)
        return std::nullopt;
      if (!(stage->accumulated.empty() ? gives_elements(*stage) : sums_columns(*stage))) return std::nullopt;
      found_.stages.push_back(stage);
    }
    if (columns_ == 0 || columns_ > max_columns) return std::nullopt;
    return std::move(found_);
  }

 private:
  bool has_rows(const Stage& stage) const {
    const auto& m = found_.stages.empty() ? stage.contraction->m : found_.stages[0]->contraction->m;
    return !m.empty() && std::ranges::is_permutation(m, stage.contraction->m) &&
           std::ranges::all_of(m, [&](AxisId id) {
             return std::ranges::count(found_.rows->axes, id, &kernel::Axis::id) == 1;
           });
  }

  /// Returns whether the stage computes an element for each column. Its operands are in memory.
  bool gives_elements(const Stage& stage) const {
    return has_rows(stage) && axes_of(stage, AxisKind::parallel).axes.empty() &&
           stage.contraction->n == std::vector{column_} &&
           std::ranges::all_of(stage.stores,
                               [&](const kernel::Store& store) { return is_of_point(kernel_, store); }) &&
           std::ranges::none_of(stage.body, [&](const Scalar& scalar) { return loads_local(scalar); });
  }

  /// Returns whether the stage sums over the columns.
  bool sums_columns(const Stage& stage) {
    const auto columns = axes_of(stage, AxisKind::parallel).extent.constant();
    if (!columns) return false;
    columns_ += *columns;
    return has_rows(stage) && stage.accumulated == std::vector{column_} &&
           stage.contraction->k == std::vector{column_};
  }

  bool loads_local(const Scalar& scalar) const {
    const auto* load = std::get_if<Scalar::Load>(&scalar.definition);
    return load != nullptr && kernel_.buffers[load->access.buffer].space == kernel::Buffer::Space::local;
  }

  const kernel::Kernel& kernel_;
  StreamedRows found_;
  AxisId column_ = 0;
  std::int64_t columns_ = 0;  ///< of all sums
};

}  // namespace

std::optional<StreamedRows> streamed_rows(const kernel::Kernel& kernel, const GpuTarget& target) {
  if (!target.matrix_instructions || !kernel.guards.empty()) return std::nullopt;
  return Finder(kernel).run();
}

}  // namespace codegen::schedule::gpu
