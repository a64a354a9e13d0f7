#include "codegen/kernel/build/chains.h"

#include <algorithm>

namespace codegen::kernel {

bool may_chain(const Node& node) {
  if (!node.product || node.product->rows.empty() || node.product->columns.empty()) return false;
  const auto is_short = [](const Extent& extent) {
    return extent.constant().value_or(max_chained_extent + 1) <= max_chained_extent;
  };
  return is_short(node.product->column_count) || is_short(node.product->terms);
}

bool unchain_lone(const std::vector<Node>& nodes, const std::vector<Group>& groups,
                  std::vector<bool>& chained) {
  bool changed = false;
  for (const Group& group : groups) {
    const auto is_product = [&](const FusedStage& stage) {
      return nodes[stage.members[0].node].product.has_value();
    };
    if (group.stages.size() == 1 || std::ranges::count_if(group.stages, is_product) != 1) continue;
    const auto lone = std::ranges::find_if(group.stages, is_product);
    chained[lone->members[0].node] = false;
    changed = true;
  }
  return changed;
}

}  // namespace codegen::kernel
