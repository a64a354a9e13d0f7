#include "codegen/schedule/gpu/column_block.h"

#include <algorithm>

#include "codegen/kernel/ir/contraction.h"
#include "codegen/schedule/common/axis_group.h"

namespace codegen::schedule::gpu {
namespace {

using kernel::AxisId;
using kernel::AxisKind;
using kernel::Block;
using kernel::Stage;

const Block* only_block(const Block& block) {
  return block.children.size() == 1 ? std::get_if<Block>(&block.children[0]) : nullptr;
}

bool has_rows(const ColumnBlock& block, const Stage& stage, const std::vector<AxisId>& m) {
  return !m.empty() && std::ranges::is_permutation(m, stage.contraction->m) &&
         std::ranges::all_of(
             m, [&](AxisId id) { return std::ranges::count(block.rows->axes, id, &kernel::Axis::id) == 1; });
}

}  // namespace

std::optional<ColumnBlock> column_block(const kernel::Kernel& kernel, const GpuTarget& target) {
  if (!target.matrix_instructions || !kernel.guards.empty()) return std::nullopt;
  ColumnBlock found;
  found.rows = kernel.root.axes.empty() ? only_block(kernel.root) : &kernel.root;
  found.columns = found.rows == nullptr ? nullptr : only_block(*found.rows);
  const bool is_one = found.columns != nullptr && found.columns->axes.size() == 1;
  return is_one ? std::optional(found) : std::nullopt;
}

bool is_f32_product(const Stage& stage) {
  if (!stage.contraction || !stage.reduction || has_masked_terms(stage)) return false;
  const auto is_f32 = [](ElementType type) { return type == ElementType::f32; };
  return is_f32(stage.body[stage.contraction->left].type) &&
         is_f32(stage.body[stage.contraction->right].type) &&
         std::ranges::all_of(stage.reduction->types, is_f32);
}

bool gives_elements(const kernel::Kernel& kernel, const ColumnBlock& block, const Stage& stage,
                    const std::vector<AxisId>& m) {
  const auto is_of_point = [&](const kernel::Store& store) {
    const kernel::Buffer& buffer = kernel.buffers[store.access.buffer];
    return buffer.space == kernel::Buffer::Space::local && buffer.shape.empty() && store.bounds.empty() &&
           !store.combine;
  };
  return is_f32_product(stage) && has_rows(block, stage, m) && stage.accumulated.empty() &&
         stage.reduction->types.size() == 1 && axes_of(stage, AxisKind::parallel).axes.empty() &&
         stage.contraction->n == std::vector{block.column().id} &&
         std::ranges::all_of(stage.stores, is_of_point);
}

bool sums_columns(const ColumnBlock& block, const Stage& stage, const std::vector<AxisId>& m) {
  return is_f32_product(stage) && has_rows(block, stage, m) &&
         stage.accumulated == std::vector{block.column().id} &&
         stage.contraction->k == std::vector{block.column().id};
}

}  // namespace codegen::schedule::gpu
