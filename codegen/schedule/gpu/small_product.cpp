#include "codegen/schedule/gpu/small_product.h"

#include <algorithm>

namespace codegen::schedule::gpu {
namespace {

using kernel::Axis;
using kernel::AxisId;
using kernel::Stage;

/// The product of the stage's own axes of the group is a constant of at most `small_extent`.
bool is_small(const Stage& stage, const std::vector<AxisId>& group) {
  dlvm::Extent all = 1;
  for (const Axis& axis : stage.axes)
    if (std::find(group.begin(), group.end(), axis.id) != group.end()) all = all * axis.extent;
  const auto constant = all.constant();
  return constant && *constant <= small_extent;
}

}  // namespace

bool is_small_product(const Stage& stage) {
  if (!stage.contraction || !stage.reduction) return false;
  const kernel::Contraction& c = *stage.contraction;
  const dlvm::ElementType type = stage.reduction->types[0];
  if (type != dlvm::ElementType::f32 && type != dlvm::ElementType::f64) return false;
  if (stage.body[c.left].type != type || stage.body[c.right].type != type) return false;
  return is_small(stage, c.m) + is_small(stage, c.n) + is_small(stage, c.k) >= 2;
}

}  // namespace codegen::schedule::gpu
