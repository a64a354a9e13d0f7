#include "codegen/schedule/gpu/online_rows.h"

#include <algorithm>

#include "codegen/kernel/ir/contraction.h"
#include "codegen/schedule/common/axis_group.h"
#include "codegen/schedule/common/masked_sum.h"
#include "codegen/schedule/gpu/choose_product.h"

namespace codegen::schedule::gpu {
namespace {

using kernel::AxisId;
using kernel::AxisKind;
using kernel::Block;
using kernel::ScalarId;
using kernel::Stage;

/// The most columns of sums that the registers of a block hold.
constexpr std::int64_t max_sums = 128;

}  // namespace

bool is_f32_product(const Stage& stage) {
  if (!stage.contraction || !stage.reduction || has_masked_terms(stage)) return false;
  const auto is_f32 = [](ElementType type) { return type == ElementType::f32; };
  return is_f32(stage.body[stage.contraction->left].type) &&
         is_f32(stage.body[stage.contraction->right].type) &&
         std::ranges::all_of(stage.reduction->types, is_f32);
}

bool is_of_point(const kernel::Kernel& kernel, const kernel::Store& store) {
  const kernel::Buffer& buffer = kernel.buffers[store.access.buffer];
  return buffer.space == kernel::Buffer::Space::local && buffer.shape.empty() && store.bounds.empty() &&
         !store.combine;
}

std::optional<OnlineRows> online_rows(const kernel::Kernel& kernel, const GpuTarget& target) {
  if (!target.matrix_instructions || !kernel.guards.empty()) return std::nullopt;
  OnlineRows online;
  online.rows = kernel.root.axes.empty() ? only_child<Block>(kernel.root) : &kernel.root;
  online.columns = online.rows == nullptr ? nullptr : only_child<Block>(*online.rows);
  if (online.columns == nullptr || online.columns->axes.size() != 1 || online.columns->children.size() != 2)
    return std::nullopt;
  online.score = std::get_if<Stage>(&online.columns->children[0]);
  online.sums = std::get_if<Stage>(&online.columns->children[1]);
  if (online.score == nullptr || online.sums == nullptr || !is_f32_product(*online.score) ||
      !is_f32_product(*online.sums))
    return std::nullopt;
  const AxisId column = online.columns->axes[0].id;
  const kernel::Contraction &score = *online.score->contraction, &sums = *online.sums->contraction;
  const auto weights = weighted_sums(*online.sums->reduction);
  const auto columns = axes_of(*online.sums, AxisKind::parallel).extent.constant();
  const bool fits =
      online.score->accumulated.empty() && online.score->reduction->types.size() == 1 &&
      axes_of(*online.score, AxisKind::parallel).axes.empty() && score.n == std::vector{column} &&
      online.score->stores.size() == 1 && is_of_point(kernel, online.score->stores[0]) &&
      online.sums->accumulated == std::vector{column} && sums.k == std::vector{column} &&
      std::ranges::is_permutation(score.m, sums.m) && !score.m.empty() &&
      columns.value_or(max_sums + 1) <= max_sums && weights &&
      kernel.buffers[online.score->stores[0].access.buffer].element == weight_type(*online.sums);
  if (!fits) return std::nullopt;
  online.weights = *weights;
  return online;
}

ElementType weight_type(const Stage& sums) {
  return sums.body[source_of(sums, sums.contraction->right)].type;
}

}  // namespace codegen::schedule::gpu
