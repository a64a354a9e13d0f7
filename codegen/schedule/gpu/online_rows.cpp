#include "codegen/schedule/gpu/online_rows.h"

#include "codegen/kernel/ir/contraction.h"
#include "codegen/schedule/common/axis_group.h"

namespace codegen::schedule::gpu {
namespace {

using kernel::AxisKind;
using kernel::Stage;

/// The most columns of sums that the registers of a block hold.
constexpr std::int64_t max_sums = 128;

}  // namespace

std::optional<OnlineRows> online_rows(const kernel::Kernel& kernel, const GpuTarget& target) {
  const auto block = column_block(kernel, target);
  if (!block || block->columns->children.size() != 2) return std::nullopt;
  OnlineRows online{*block,
                    std::get_if<Stage>(&block->columns->children[0]),
                    std::get_if<Stage>(&block->columns->children[1]),
                    {}};
  if (online.score == nullptr || online.sums == nullptr || !online.score->contraction) return std::nullopt;
  const auto& m = online.score->contraction->m;
  if (!gives_elements(kernel, *block, *online.score, m) || !sums_columns(*block, *online.sums, m) ||
      online.score->stores.size() != 1)
    return std::nullopt;
  const auto weights = weighted_sums(*online.sums->reduction);
  const auto columns = axes_of(*online.sums, AxisKind::parallel).extent.constant();
  const ElementType score = kernel.buffers[online.score->stores[0].access.buffer].element;
  if (!weights || columns.value_or(max_sums + 1) > max_sums || score != weight_type(*online.sums))
    return std::nullopt;
  online.weights = *weights;
  return online;
}

ElementType weight_type(const Stage& sums) {
  return sums.body[source_of(sums, sums.contraction->right)].type;
}

}  // namespace codegen::schedule::gpu
