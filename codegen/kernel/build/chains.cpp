#include "codegen/kernel/build/chains.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace codegen::kernel {

bool may_chain(const Node& node) {
  if (!node.product || node.product->rows.empty() || node.product->columns.empty()) return false;
  const auto is_short = [](const Extent& extent) {
    return extent.constant().value_or(max_chained_extent + 1) <= max_chained_extent;
  };
  return is_short(node.product->column_count) || is_short(node.product->terms);
}

std::vector<std::size_t> reader_counts(const std::vector<Node>& nodes) {
  std::unordered_map<const dlvm::Value*, std::size_t> node_of;
  for (std::size_t i = 0; i < nodes.size(); ++i)
    if (!nodes[i].copy) node_of[nodes[i].value] = i;
  std::vector<std::size_t> counts(nodes.size()), last(nodes.size(), nodes.size());
  for (std::size_t i = 0; i < nodes.size(); ++i)
    for (const auto& use : nodes[i].uses)
      if (const auto p = node_of.find(use.value);
          p != node_of.end() && !nodes[i].copy && std::exchange(last[p->second], i) != i)
        ++counts[p->second];
  return counts;
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
