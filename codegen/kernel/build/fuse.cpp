#include "codegen/kernel/build/fuse.h"

#include <algorithm>
#include <utility>

#include "codegen/kernel/build/chains.h"
#include "codegen/kernel/build/merge_kernels.h"

namespace codegen::kernel {
namespace {

class Fusion {
 public:
  Fusion(const std::vector<Node>& nodes, const Chains& chains)
      : all_(nodes), chains_(chains), readers_(find_readers(nodes)) {}
  std::vector<Group> run();

 private:
  bool join_stage(std::size_t index, std::size_t kernel);
  bool join_kernel(std::size_t index, std::size_t kernel);
  bool join_rows(std::size_t index, std::size_t kernel, bool accumulates);
  void add_stage(std::size_t index, std::size_t kernel);
  void start_kernel(std::size_t index);
  void join_sibling(std::size_t index);
  void keep_before(std::size_t kernel, std::size_t reader) {
    if (kernel != reader)
      all_.kernels[kernel].first_reader = std::min(all_.kernels[kernel].first_reader, reader);
  }
  static void keep_outer(FusedKernels::Kernel& kernel, const std::vector<bool>& alive);
  /// Returns whether the node alone reads what it reads of the kernel, or together with others that are
  /// stages of it or may become such.
  bool is_only_reader(std::size_t index, std::size_t kernel, bool accumulates) const {
    const auto joins = [&](std::size_t reader) {
      if (reader == index || !all_.nodes[index].product) return true;
      if (!chains_.together[index]) return false;
      if (!all_.nodes[reader].product) return accumulates || all_.places[reader].kernel == kernel;
      return chains_.together[reader] && (chains_.accumulated[index] || chains_.accumulated[reader]);
    };
    return std::ranges::all_of(all_.nodes[index].uses, [&](const Node::Use& use) {
      const auto p = all_.producer(use);
      return !p || all_.places[*p].kernel != kernel || std::ranges::all_of(readers_[*p], joins);
    });
  }
  /// Returns whether the node may accumulate what it reads of the kernel, because its other operand is small.
  bool may_accumulate_from(std::size_t kernel, std::size_t index) const;
  bool is_alone(std::size_t node) const { return all_.nodes[node].alone && !chains_.chained[node]; }

  FusedKernels all_;
  const Chains& chains_;
  const std::vector<std::vector<std::size_t>> readers_;
  /// The last reduction with a kernel of its own that reads each value.
  std::unordered_map<const dlvm::Value*, std::size_t> reductions_;
};

bool Fusion::join_stage(std::size_t index, std::size_t kernel) {
  const Node& node = all_.nodes[index];
  FusedKernels::Kernel& k = all_.kernels[kernel];
  if (!node.pointwise || node.phase != k.phase) return false;
  // The last stage that the node reads is the only one where all it needs is there.
  std::optional<std::size_t> stage;
  for (const auto& use : node.uses)
    if (const auto p = all_.producer(use); p && all_.places[*p].kernel == kernel)
      stage = std::max(stage.value_or(0), all_.places[*p].stage);
  if (!stage) return false;
  if (all_.nodes[k.stages[*stage].members[0].node].divided) return false;
  if (k.stages[*stage].scalars + node.scalars > max_scalars || k.uses + uses_of(node) > max_uses)
    return false;
  auto map = all_.same_point(node, kernel, *stage);
  if (!map) return false;
  // The values of earlier stages that it reads must be of the same row.
  if (k.stages.size() > 1) {
    const OuterAxes outer = all_.correspondence(node, kernel);
    for (std::size_t o = 0; o < outer.size(); ++o)
      if (outer[o] == never || (*map)[outer[o]] != k.outer[*stage][o]) return false;
  }
  auto& target = k.stages[*stage];
  all_.places[index] = {kernel, *stage, target.members.size()};
  target.members.push_back({index, std::move(*map)});
  target.scalars += node.scalars;
  k.uses += uses_of(node);
  return true;
}

/// Removes the outer axes that are not alive.
void Fusion::keep_outer(FusedKernels::Kernel& kernel, const std::vector<bool>& alive) {
  for (auto& axes : kernel.outer) {
    std::size_t kept = 0;
    for (std::size_t o = 0; o < alive.size(); ++o)
      if (alive[o]) axes[kept++] = axes[o];
    axes.resize(kept);
  }
}

bool Fusion::join_kernel(std::size_t index, std::size_t kernel) {
  const Node& node = all_.nodes[index];
  FusedKernels::Kernel& k = all_.kernels[kernel];
  if (node.phase != k.phase) return false;
  if (k.alone || k.stages.size() >= max_stages || k.uses + uses_of(node) > max_uses) return false;
  return (!is_alone(index) && join_rows(index, kernel, false)) ||
         (may_accumulate_from(kernel, index) && join_rows(index, kernel, true));
}

bool Fusion::may_accumulate_from(std::size_t kernel, std::size_t index) const {
  if (!chains_.accumulated[index]) return false;
  const Node& node = all_.nodes[index];
  return std::ranges::all_of(node.uses, [&](const Node::Use& use) {
    const auto p = all_.producer(use);
    return !p || all_.places[*p].kernel != kernel || has_short_counterpart(*node.product, use.indices);
  });
}

/// Lets the node be a further stage of the kernel, which accumulates or does not, if they share axes.
bool Fusion::join_rows(std::size_t index, std::size_t kernel, bool accumulates) {
  const Node& node = all_.nodes[index];
  FusedKernels::Kernel& k = all_.kernels[kernel];
  if (!is_only_reader(index, kernel, accumulates) || (node.unchained && all_.has_product(k)) ||
      (node.product && all_.has_unchained(k)))
    return false;
  const OuterAxes of_node = all_.correspondence(node, kernel, accumulates);
  std::vector<bool> alive(of_node.size());
  for (std::size_t o = 0; o < alive.size(); ++o) alive[o] = of_node[o] != never;
  std::vector<const Node*> leaders = all_.leaders_of(k);
  leaders.push_back(&node);
  auto axes = k.outer;
  axes.push_back(of_node);
  if (accumulates) drop_columns(leaders, axes, alive);
  if (!drop_contiguous(leaders, axes, alive) || !share_rows(leaders, axes, alive)) return false;
  bool has_reduced = false;
  for (std::size_t o = 0; o < alive.size(); ++o)
    has_reduced = has_reduced || (alive[o] && is_reduced(node, of_node[o]));
  if (has_reduced != accumulates) return false;

  k.outer.push_back(of_node);
  keep_outer(k, alive);
  add_stage(index, kernel);
  merge_rows(all_, index);
  return true;
}

void Fusion::add_stage(std::size_t index, std::size_t kernel) {
  Member member{index, {}};
  for (std::size_t a = 0; a < all_.nodes[index].axes.size(); ++a) member.axes.push_back(a);
  all_.places[index] = {kernel, all_.kernels[kernel].stages.size(), 0};
  all_.kernels[kernel].stages.push_back({{std::move(member)}, all_.nodes[index].scalars});
  all_.kernels[kernel].uses += uses_of(all_.nodes[index]);
}

void Fusion::start_kernel(std::size_t index) {
  const Node& node = all_.nodes[index];
  all_.kernels.emplace_back();
  OuterAxes outer;
  for (std::size_t a = 0; a < node.axes.size(); ++a)
    if (node.axes[a].shared) outer.push_back(a);
  all_.kernels.back().outer.push_back(std::move(outer));
  all_.kernels.back().alone = is_alone(index);
  all_.kernels.back().phase = node.phase;
  add_stage(index, all_.kernels.size() - 1);
}

/// Lets the stage of another reduction compute the node, which has a kernel of its own, where that is
/// possible.
void Fusion::join_sibling(std::size_t index) {
  const Node& node = all_.nodes[index];
  if (!node.sibling) return;
  for (const Node::Use& use : node.uses) {
    const auto found = reductions_.find(use.value);
    if (found != reductions_.end() && merge_siblings(all_, index, found->second)) break;
  }
  for (const Node::Use& use : node.uses) reductions_[use.value] = index;
}

std::vector<Group> Fusion::run() {
  for (std::size_t i = 0; i < all_.nodes.size(); ++i) {
    const auto producers = all_.producing_kernels(all_.nodes[i]);
    if (!producers.empty() && join_stage(i, producers.front()))
      merge_points(all_, i);
    else if (producers.empty() || !join_kernel(i, producers.front())) {
      start_kernel(i);
      join_sibling(i);
    }
    for (const std::size_t kernel : all_.producing_kernels(all_.nodes[i]))
      keep_before(kernel, all_.places[i].kernel);
    for (const dlvm::Value* value : all_.nodes[i].after)
      keep_before(all_.places[all_.node_of.at(value)].kernel, all_.places[i].kernel);
  }
  std::vector<Group> groups;
  for (auto& kernel : all_.kernels) {
    if (kernel.stages.empty()) continue;
    if (kernel.stages.size() == 1) kernel.outer[0].clear();
    groups.push_back({std::move(kernel.stages), std::move(kernel.outer)});
  }
  return groups;
}

}  // namespace

std::vector<Group> fuse(const std::vector<Node>& nodes, ProductChains which) {
  if (which == ProductChains::none) {
    const std::vector<bool> none(nodes.size());
    return Fusion(nodes, {none, none, none}).run();
  }
  Chains chains = choose_chains(nodes, which);
  for (;;) {
    std::vector<Group> groups = Fusion(nodes, chains).run();
    const bool had_lone = unchain_lone(nodes, groups, chains);
    if (!part_readers(nodes, groups, chains) && !had_lone) return groups;
  }
}

}  // namespace codegen::kernel
