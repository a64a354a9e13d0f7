#include "codegen/kernel/build/chains.h"

#include <algorithm>
#include <unordered_map>

#include "codegen/kernel/build/outer_axes.h"

namespace codegen::kernel {
namespace {

bool is_short(const Extent& extent) {
  return extent.constant().value_or(max_chained_extent + 1) <= max_chained_extent;
}

bool may_chain(const Node& node) {
  if (!node.product || node.product->rows.empty() || node.product->columns.empty()) return false;
  return is_short(node.product->column_count) || is_short(node.product->terms);
}

/// Cores share a kernel's other outer axes, those of the batch, because they do not divide sums. Whether the
/// batch is one makes no difference, so that each element of a batch has the same bits.
bool may_accumulate(const Node& node) {
  if (!node.product || node.product->rows.empty() || node.product->columns.empty()) return false;
  const ElementType type = node.value->type().element();
  return node.product->has_batch && node.reduced.size() == 1 &&
         (is_short(node.product->row_count) || is_short(node.product->column_count)) &&
         (type == ElementType::f32 || type == ElementType::f64);
}

}  // namespace

bool has_short_counterpart(const Node::Product& product, const Indices& indices) {
  const auto has = [&](const std::vector<std::size_t>& group) {
    return std::ranges::any_of(indices, [&](const Index& index) {
      return std::ranges::any_of(axes_of(index),
                                 [&](AxisId axis) { return std::ranges::count(group, axis) > 0; });
    });
  };
  return (has(product.rows) && is_short(product.column_count)) ||
         (has(product.columns) && is_short(product.row_count));
}

Chains choose_chains(const std::vector<Node>& nodes, ProductChains which) {
  Chains chains;
  for (const Node& node : nodes) {
    chains.chained.push_back(may_chain(node) && !node.unchained);
    chains.accumulated.push_back(which == ProductChains::all && may_accumulate(node));
    chains.together.push_back(chains.chained.back() || chains.accumulated.back());
  }
  return chains;
}

std::vector<std::vector<std::size_t>> find_readers(const std::vector<Node>& nodes) {
  std::unordered_map<const dlvm::Value*, std::size_t> node_of;
  for (std::size_t i = 0; i < nodes.size(); ++i)
    if (!nodes[i].copy) node_of[nodes[i].value] = i;
  std::vector<std::vector<std::size_t>> readers(nodes.size());
  for (std::size_t i = 0; i < nodes.size(); ++i)
    for (const auto& use : nodes[i].uses)
      if (const auto p = node_of.find(use.value);
          p != node_of.end() && !nodes[i].copy &&
          (readers[p->second].empty() || readers[p->second].back() != i))
        readers[p->second].push_back(i);
  return readers;
}

bool unchain_lone(const std::vector<Node>& nodes, const std::vector<Group>& groups, Chains& chains) {
  bool changed = false;
  for (const Group& group : groups) {
    if (group.stages.size() == 1) continue;
    std::vector<std::size_t> products, sums;
    for (std::size_t s = 0; s < group.stages.size(); ++s) {
      const std::size_t n = group.stages[s].members[0].node;
      if (nodes[n].product) (accumulates(nodes[n], group.outer[s]) ? sums : products).push_back(n);
    }
    const auto take_back = [&](std::vector<bool>& allowed, const std::vector<std::size_t>& from) {
      for (const std::size_t n : from) {
        changed = changed || allowed[n];
        allowed[n] = false;
      }
    };
    if (products.empty()) take_back(chains.accumulated, sums);
    if (products.size() == 1) take_back(chains.chained, products);
  }
  return changed;
}

bool part_readers(const std::vector<Node>& nodes, const std::vector<Group>& groups, Chains& chains) {
  std::vector<std::size_t> group_of(nodes.size());
  for (std::size_t g = 0; g < groups.size(); ++g)
    for (const FusedStage& stage : groups[g].stages)
      for (const Member& member : stage.members) group_of[member.node] = g;
  bool changed = false;
  const auto readers = find_readers(nodes);
  for (std::size_t p = 0; p < nodes.size(); ++p) {
    const auto is_here = [&](std::size_t reader) { return group_of[reader] == group_of[p]; };
    if (std::ranges::all_of(readers[p], is_here)) continue;
    for (const std::size_t reader : readers[p])
      if (is_here(reader) && chains.together[reader]) {
        chains.together[reader] = false;
        changed = true;
      }
  }
  return changed;
}

}  // namespace codegen::kernel
