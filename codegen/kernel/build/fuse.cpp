#include "codegen/kernel/build/fuse.h"

#include <algorithm>
#include <limits>
#include <map>
#include <unordered_map>
#include <utility>

#include "codegen/kernel/build/chains.h"
#include "codegen/kernel/build/outer_axes.h"

namespace codegen::kernel {
namespace {

constexpr std::size_t never = std::numeric_limits<std::size_t>::max();

/// Values that the node reads, and the one that it writes.
std::size_t uses_of(const Node& node) { return node.uses.size() + 1; }

class Fusion {
 public:
  /// `chained` says which contractions may be stages among others.
  Fusion(const std::vector<Node>& nodes, const std::vector<bool>& chained)
      : nodes_(nodes), chained_(chained), readers_(reader_counts(nodes)), places_(nodes.size()) {
    for (std::size_t i = 0; i < nodes.size(); ++i)
      if (!nodes[i].copy) node_of_[nodes[i].value] = i;
  }
  std::vector<Group> run();

 private:
  struct Place {
    std::size_t kernel = never, stage = 0, member = 0;
  };
  struct Kernel {
    std::vector<FusedStage> stages;
    std::vector<OuterAxes> outer;  ///< of each stage; all of one length
    std::size_t uses = 0;          ///< values that its nodes read and write
    bool alone = false;
    std::uint32_t phase = 0;
    std::size_t first_reader = never;  ///< no kernel below this number reads it
  };

  std::optional<std::size_t> producer(const Node::Use& use) const {
    const auto found = node_of_.find(use.value);
    return found == node_of_.end() ? std::nullopt : std::optional(found->second);
  }
  std::vector<std::size_t> producing_kernels(const Node& node) const;
  bool join_stage(std::size_t index, std::size_t kernel);
  std::optional<std::vector<std::size_t>> same_point(const Node& node, std::size_t kernel,
                                                     std::size_t stage) const;
  void merge_points(std::size_t index);
  void move_members(std::size_t low, std::size_t high, std::size_t stage,
                    const std::vector<std::size_t>& axes);
  bool reads_points(std::size_t kernel, std::size_t low, const std::vector<std::size_t>& moved) const;
  bool join_kernel(std::size_t index, std::size_t kernel);
  OuterAxes correspondence(const Node& node, std::size_t kernel) const;
  void add_stage(std::size_t index, std::size_t kernel);
  void merge_producers(std::size_t index, std::size_t kernel);
  bool reads_rows(std::size_t high, std::size_t low, const std::vector<std::size_t>& paired) const;
  void move_stages(std::size_t low, std::size_t high, const std::vector<std::size_t>& paired);
  void start_kernel(std::size_t index);
  void keep_before(std::size_t kernel, std::size_t reader) {
    if (kernel != reader) kernels_[kernel].first_reader = std::min(kernels_[kernel].first_reader, reader);
  }
  const Node& leader(const FusedStage& stage) const { return nodes_[stage.members[0].node]; }
  static void keep_outer(Kernel& kernel, const std::vector<bool>& alive);
  /// Returns the first node of each stage.
  std::vector<const Node*> leaders_of(const Kernel& kernel) const {
    std::vector<const Node*> leaders;
    for (const auto& stage : kernel.stages) leaders.push_back(&nodes_[stage.members[0].node]);
    return leaders;
  }
  /// Returns whether the node alone reads what it reads of the kernel.
  bool is_only_reader(std::size_t index, std::size_t kernel) const {
    return std::ranges::all_of(nodes_[index].uses, [&](const Node::Use& use) {
      const auto p = producer(use);
      return !p || places_[*p].kernel != kernel || readers_[*p] == 1;
    });
  }
  bool is_alone(std::size_t node) const { return nodes_[node].alone && !chained_[node]; }

  const std::vector<Node>& nodes_;
  const std::vector<bool>& chained_;
  const std::vector<std::size_t> readers_;
  std::unordered_map<const dlvm::Value*, std::size_t> node_of_;
  std::vector<Place> places_;
  std::vector<Kernel> kernels_;
};

std::vector<std::size_t> Fusion::producing_kernels(const Node& node) const {
  std::vector<std::size_t> result;
  for (const auto& use : node.uses)
    if (const auto p = producer(use)) result.push_back(places_[*p].kernel);
  std::sort(result.begin(), result.end(), std::greater<>());
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

/// Returns whether the index of every dimension that is no axis of the node (of extent 1) is 0: next to its
/// one element there is none.
bool is_first_without_axis(const Node& node, const Indices& indices) {
  std::vector<bool> has_axis(indices.size());
  for (const auto& axis : node.axes) has_axis[axis.dimension] = true;
  for (std::size_t d = 0; d < indices.size(); ++d)
    if (const auto place = constant(indices[d]); !has_axis[d] && !(place && place->is(0))) return false;
  return true;
}

/// Returns for each axis of the node the axis of the stage, where the node reads the stage's values at the
/// same point.
std::optional<std::vector<std::size_t>> Fusion::same_point(const Node& node, std::size_t kernel,
                                                           std::size_t stage) const {
  const FusedStage& target = kernels_[kernel].stages[stage];
  const Node& first = nodes_[target.members[0].node];
  if (first.axes.size() != node.axes.size()) return std::nullopt;
  std::vector<std::size_t> map(node.axes.size(), never);
  bool reads = false;
  for (const auto& use : node.uses) {
    const auto p = producer(use);
    if (!p || places_[*p].kernel != kernel) continue;
    if (places_[*p].stage > stage) return std::nullopt;
    if (places_[*p].stage < stage) continue;
    reads = true;
    const Node& from = nodes_[*p];
    const Member& member = target.members[places_[*p].member];
    if (!is_first_without_axis(from, use.indices)) return std::nullopt;
    for (std::size_t a = 0; a < from.axes.size(); ++a) {
      const auto axis = lone_axis(use.indices[from.axes[a].dimension]);
      if (!axis || *axis >= map.size()) return std::nullopt;
      if (map[*axis] != never && map[*axis] != member.axes[a]) return std::nullopt;
      map[*axis] = member.axes[a];
    }
  }
  if (!reads) return std::nullopt;
  std::vector<bool> taken(map.size());
  for (std::size_t a = 0; a < map.size(); ++a) {
    if (map[a] == never || taken[map[a]] || first.axes[map[a]].extent != node.axes[a].extent)
      return std::nullopt;
    taken[map[a]] = true;
  }
  return map;
}

bool Fusion::join_stage(std::size_t index, std::size_t kernel) {
  const Node& node = nodes_[index];
  Kernel& k = kernels_[kernel];
  if (!node.pointwise || node.phase != k.phase) return false;
  // The last stage that the node reads is the only one where all it needs is there.
  std::optional<std::size_t> stage;
  for (const auto& use : node.uses)
    if (const auto p = producer(use); p && places_[*p].kernel == kernel)
      stage = std::max(stage.value_or(0), places_[*p].stage);
  if (!stage) return false;
  if (nodes_[k.stages[*stage].members[0].node].divided) return false;
  if (k.stages[*stage].scalars + node.scalars > max_scalars || k.uses + uses_of(node) > max_uses)
    return false;
  auto map = same_point(node, kernel, *stage);
  if (!map) return false;
  // The values of earlier stages that it reads must be of the same row.
  if (k.stages.size() > 1) {
    const OuterAxes outer = correspondence(node, kernel);
    for (std::size_t o = 0; o < outer.size(); ++o)
      if (outer[o] == never || (*map)[outer[o]] != k.outer[*stage][o]) return false;
  }
  auto& target = k.stages[*stage];
  places_[index] = {kernel, *stage, target.members.size()};
  target.members.push_back({index, std::move(*map)});
  target.scalars += node.scalars;
  k.uses += uses_of(node);
  return true;
}

/// Kernels of one stage that the node reads at the point of the stage that it has joined are moved into that
/// stage, where nothing between reads them. The axes of one of the two stages become those of the other.
void Fusion::merge_points(std::size_t index) {
  const std::size_t kernel = places_[index].kernel;
  for (const std::size_t other : producing_kernels(nodes_[index])) {
    if (other == kernel) continue;
    Kernel &low = kernels_[other], &high = kernels_[kernel];
    if (low.phase != high.phase || low.stages.size() != 1 || low.first_reader < kernel ||
        low.uses + high.uses > max_uses)
      continue;
    const Place place = places_[index];
    FusedStage &from = low.stages[0], &to = high.stages[place.stage];
    const bool reduces = !leader(to).pointwise;
    if (!leader(from).pointwise && (reduces || high.stages.size() > 1)) continue;
    if (leader(from).divided || leader(to).divided ||
        from.scalars + to.scalars > max_scalars)
      continue;
    const auto map = same_point(nodes_[index], other, 0);
    if (!map) continue;
    const std::vector<std::size_t>& axes = to.members[place.member].axes;
    std::vector<std::size_t> moved(axes.size()), back(axes.size());
    for (std::size_t a = 0; a < axes.size(); ++a) {
      moved[(*map)[a]] = axes[a];
      back[axes[a]] = (*map)[a];
    }
    if (reads_points(kernel, other, moved)) move_members(other, kernel, place.stage, reduces ? moved : back);
  }
}

/// Returns whether all that the kernel reads of kernel `low` is read at the point of one stage, of which axis
/// `moved[a]` is axis `a` of the only stage of `low`, and after its reduction, if it has one.
bool Fusion::reads_points(std::size_t kernel, std::size_t low, const std::vector<std::size_t>& moved) const {
  std::optional<std::size_t> stage;
  for (std::size_t s = 0; s < kernels_[kernel].stages.size(); ++s)
    for (const Member& member : kernels_[kernel].stages[s].members) {
      const Node& node = nodes_[member.node];
      const bool reads = std::ranges::any_of(node.uses, [&](const Node::Use& use) {
        const auto p = producer(use);
        return p && places_[*p].kernel == low;
      });
      if (!reads) continue;
      const auto map = same_point(node, low, 0);
      if (!node.pointwise || !map || stage.value_or(s) != s) return false;
      stage = s;
      for (std::size_t a = 0; a < map->size(); ++a)
        if (moved[(*map)[a]] != member.axes[a]) return false;
    }
  return true;
}

/// The members of the only stage of kernel `low` become members of a stage of `high`. If that reduces, they
/// come behind its first member, and `axes` has its axes by those of `low`; else they come first and give the
/// axes, and `axes` has these by its own.
void Fusion::move_members(std::size_t low, std::size_t high, std::size_t stage,
                          const std::vector<std::size_t>& axes) {
  Kernel &from = kernels_[low], &to = kernels_[high];
  std::vector<Member>&moved = from.stages[0].members, &members = to.stages[stage].members;
  const auto rename = [&](std::vector<std::size_t>& all) {
    for (std::size_t& axis : all) axis = axes[axis];
  };
  if (leader(to.stages[stage]).pointwise) {
    for (Member& member : members) rename(member.axes);
    if (to.stages.size() == 1)
      to.outer = from.outer;
    else
      rename(to.outer[stage]);
    members.insert(members.begin(), moved.begin(), moved.end());
  } else {
    for (Member& member : moved) rename(member.axes);
    members.insert(members.begin() + 1, moved.begin(), moved.end());
  }
  for (std::size_t m = 0; m < members.size(); ++m) places_[members[m].node] = {high, stage, m};
  to.stages[stage].scalars += from.stages[0].scalars;
  to.uses += std::exchange(from.uses, 0);
  to.alone |= from.alone;
  to.first_reader = std::min(to.first_reader, std::max(from.first_reader, high + 1));
  from.stages.clear();
  from.outer.clear();
}

/// Returns for each outer axis of the kernel the node's axis at which it reads the kernel's values; `never`
/// where there is none.
OuterAxes Fusion::correspondence(const Node& node, std::size_t kernel) const {
  const Kernel& k = kernels_[kernel];
  const std::size_t count = k.outer.empty() ? 0 : k.outer[0].size();
  OuterAxes result(count, never);
  std::vector<bool> dead(count), met(count);
  for (const auto& use : node.uses) {
    const auto p = producer(use);
    if (!p || places_[*p].kernel != kernel) continue;
    const Place& place = places_[*p];
    const Node& from = nodes_[*p];
    const Member& member = k.stages[place.stage].members[place.member];
    for (std::size_t o = 0; o < count; ++o) {
      const std::size_t stage_axis = k.outer[place.stage][o];
      const auto a = static_cast<std::size_t>(std::find(member.axes.begin(), member.axes.end(), stage_axis) -
                                              member.axes.begin());
      const auto axis = a < from.axes.size() ? lone_axis(use.indices[from.axes[a].dimension]) : std::nullopt;
      if (!axis || *axis >= node.axes.size() || !node.axes[*axis].shared ||
          node.axes[*axis].extent != from.axes[a].extent || (met[o] && result[o] != *axis)) {
        dead[o] = true;
        continue;
      }
      met[o] = true;
      result[o] = *axis;
    }
  }
  for (std::size_t o = 0; o < count; ++o)
    if (dead[o]) result[o] = never;
  return result;
}

/// Removes the outer axes that are not alive.
void Fusion::keep_outer(Kernel& kernel, const std::vector<bool>& alive) {
  for (auto& axes : kernel.outer) {
    std::size_t kept = 0;
    for (std::size_t o = 0; o < alive.size(); ++o)
      if (alive[o]) axes[kept++] = axes[o];
    axes.resize(kept);
  }
}

bool Fusion::join_kernel(std::size_t index, std::size_t kernel) {
  const Node& node = nodes_[index];
  Kernel& k = kernels_[kernel];
  if (node.phase != k.phase || (node.product && !is_only_reader(index, kernel))) return false;
  if (is_alone(index) || k.alone || k.stages.size() >= max_stages || k.uses + uses_of(node) > max_uses)
    return false;
  OuterAxes of_node = correspondence(node, kernel);
  std::vector<bool> alive(of_node.size());
  for (std::size_t o = 0; o < alive.size(); ++o) alive[o] = of_node[o] != never;
  std::vector<const Node*> leaders = leaders_of(k);
  leaders.push_back(&node);
  auto axes = k.outer;
  axes.push_back(of_node);
  if (!drop_contiguous(leaders, axes, alive) || !share_rows(leaders, axes, alive)) return false;

  k.outer.push_back(of_node);
  keep_outer(k, alive);
  add_stage(index, kernel);
  merge_producers(index, kernel);
  return true;
}

void Fusion::add_stage(std::size_t index, std::size_t kernel) {
  Member member{index, {}};
  for (std::size_t a = 0; a < nodes_[index].axes.size(); ++a) member.axes.push_back(a);
  places_[index] = {kernel, kernels_[kernel].stages.size(), 0};
  kernels_[kernel].stages.push_back({{std::move(member)}, nodes_[index].scalars});
  kernels_[kernel].uses += uses_of(nodes_[index]);
}

/// Kernels below `kernel` that the node reads row by row too are moved into it, where nothing between reads
/// them and they have all its outer axes.
void Fusion::merge_producers(std::size_t index, std::size_t kernel) {
  for (const std::size_t other : producing_kernels(nodes_[index])) {
    if (other == kernel) continue;
    Kernel &low = kernels_[other], &high = kernels_[kernel];
    if (low.phase != high.phase || low.alone || low.first_reader < kernel ||
        low.stages.size() + high.stages.size() > max_stages || low.uses + high.uses > max_uses)
      continue;
    const OuterAxes of_low = correspondence(nodes_[index], other);
    const OuterAxes of_node = high.outer.back();  // the node's stage is the last
    std::vector<std::size_t> paired;
    for (const std::size_t axis : of_node) {
      const auto at = std::find(of_low.begin(), of_low.end(), axis);
      if (at == of_low.end()) break;
      paired.push_back(static_cast<std::size_t>(at - of_low.begin()));
    }
    if (paired.size() != of_node.size()) continue;
    std::vector<const Node*> leaders = leaders_of(low);
    bool worse = false;
    for (std::size_t s = 0; s < leaders.size(); ++s) {
      std::vector<bool> outer(leaders[s]->axes.size());
      for (const std::size_t o : paired) outer[low.outer[s][o]] = true;
      worse |= runs_over_contiguous(*leaders[s], outer);
    }
    std::vector<OuterAxes> outer(low.outer.size());
    for (std::size_t s = 0; s < leaders.size(); ++s)
      for (const std::size_t o : paired) outer[s].push_back(low.outer[s][o]);
    outer.insert(outer.end(), high.outer.begin(), high.outer.end());
    for (const Node* leader : leaders_of(high)) leaders.push_back(leader);
    worse |= !share_rows(leaders, outer, std::vector<bool>(paired.size(), true));
    if (!worse && reads_rows(kernel, other, paired)) move_stages(other, kernel, paired);
  }
}

/// Returns whether all that kernel `high` reads of `low` is of the same row; outer axis `o` is `paired[o]` of
/// low.
bool Fusion::reads_rows(std::size_t high, std::size_t low, const std::vector<std::size_t>& paired) const {
  const Kernel& kernel = kernels_[high];
  for (std::size_t s = 0; s < kernel.stages.size(); ++s)
    for (const Member& member : kernel.stages[s].members) {
      const Node& node = nodes_[member.node];
      const bool reads = std::any_of(node.uses.begin(), node.uses.end(), [&](const Node::Use& use) {
        const auto p = producer(use);
        return p && places_[*p].kernel == low;
      });
      if (!reads) continue;
      const OuterAxes axes = correspondence(node, low);
      for (std::size_t o = 0; o < paired.size(); ++o)
        if (axes[paired[o]] == never || member.axes[axes[paired[o]]] != kernel.outer[s][o]) return false;
    }
  return true;
}

/// The stages of kernel `low` become the first ones of `high`; outer axis `o` of `high` is `paired[o]` of
/// low.
void Fusion::move_stages(std::size_t low, std::size_t high, const std::vector<std::size_t>& paired) {
  Kernel &from = kernels_[low], &to = kernels_[high];
  const std::size_t moved = from.stages.size();
  for (const auto& stage : to.stages)
    for (const auto& member : stage.members) places_[member.node].stage += moved;
  for (const auto& stage : from.stages)
    for (const auto& member : stage.members) places_[member.node].kernel = high;
  for (auto& axes : from.outer) {
    OuterAxes chosen;
    for (const std::size_t o : paired) chosen.push_back(axes[o]);
    axes = std::move(chosen);
  }
  const auto prepend = [](auto& target, auto& source) {
    source.insert(source.end(), std::make_move_iterator(target.begin()),
                  std::make_move_iterator(target.end()));
    target = std::move(source);
    source.clear();
  };
  prepend(to.stages, from.stages);
  prepend(to.outer, from.outer);
  to.uses += std::exchange(from.uses, 0);
  to.first_reader = std::min(to.first_reader, std::max(from.first_reader, high + 1));
}

void Fusion::start_kernel(std::size_t index) {
  const Node& node = nodes_[index];
  kernels_.emplace_back();
  OuterAxes outer;
  for (std::size_t a = 0; a < node.axes.size(); ++a)
    if (node.axes[a].shared) outer.push_back(a);
  kernels_.back().outer.push_back(std::move(outer));
  kernels_.back().alone = is_alone(index);
  kernels_.back().phase = node.phase;
  add_stage(index, kernels_.size() - 1);
}

std::vector<Group> Fusion::run() {
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const auto producers = producing_kernels(nodes_[i]);
    if (!producers.empty() && join_stage(i, producers.front()))
      merge_points(i);
    else if (producers.empty() || !join_kernel(i, producers.front()))
      start_kernel(i);
    for (const std::size_t kernel : producing_kernels(nodes_[i])) keep_before(kernel, places_[i].kernel);
    for (const dlvm::Value* value : nodes_[i].after)
      keep_before(places_[node_of_.at(value)].kernel, places_[i].kernel);
  }
  std::vector<Group> groups;
  for (auto& kernel : kernels_) {
    if (kernel.stages.empty()) continue;
    if (kernel.stages.size() == 1) kernel.outer[0].clear();
    groups.push_back({std::move(kernel.stages), std::move(kernel.outer)});
  }
  return groups;
}

}  // namespace

std::vector<Group> fuse(const std::vector<Node>& nodes, bool chains) {
  std::vector<bool> chained(nodes.size());
  for (std::size_t n = 0; chains && n < nodes.size(); ++n) chained[n] = may_chain(nodes[n]);
  std::vector<Group> groups = Fusion(nodes, chained).run();
  while (unchain_lone(nodes, groups, chained)) groups = Fusion(nodes, chained).run();
  return groups;
}

}  // namespace codegen::kernel
