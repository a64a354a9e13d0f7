#include "codegen/kernel/build/fused_kernels.h"

#include <algorithm>
#include <functional>

namespace codegen::kernel {
namespace {

/// Returns whether the index of every dimension that is no axis of the node (of extent 1) is 0: next to its
/// one element there is none.
bool is_first_without_axis(const Node& node, const Indices& indices) {
  std::vector<bool> has_axis(indices.size());
  for (const auto& axis : node.axes) has_axis[axis.dimension] = true;
  for (std::size_t d = 0; d < indices.size(); ++d)
    if (const auto place = constant(indices[d]); !has_axis[d] && !(place && place->is(0))) return false;
  return true;
}

}  // namespace

bool FusedKernels::reads(const Node& node, std::size_t kernel) const {
  return std::ranges::any_of(node.uses, [&](const Node::Use& use) {
    const auto p = producer(use);
    return p && places[*p].kernel == kernel;
  });
}

std::vector<std::size_t> FusedKernels::producing_kernels(const Node& node) const {
  std::vector<std::size_t> result;
  for (const auto& use : node.uses)
    if (const auto p = producer(use)) result.push_back(places[*p].kernel);
  std::sort(result.begin(), result.end(), std::greater<>());
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

std::optional<std::vector<std::size_t>> FusedKernels::same_point(const Node& node, std::size_t kernel,
                                                                 std::size_t stage) const {
  const FusedStage& target = kernels[kernel].stages[stage];
  const Node& first = nodes[target.members[0].node];
  if (first.axes.size() != node.axes.size()) return std::nullopt;
  std::vector<std::size_t> map(node.axes.size(), never);
  bool reads = false;
  for (const auto& use : node.uses) {
    const auto p = producer(use);
    if (!p || places[*p].kernel != kernel) continue;
    if (places[*p].stage > stage) return std::nullopt;
    if (places[*p].stage < stage) continue;
    reads = true;
    const Node& from = nodes[*p];
    const Member& member = target.members[places[*p].member];
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

OuterAxes FusedKernels::correspondence(const Node& node, std::size_t kernel, bool accumulates) const {
  const Kernel& k = kernels[kernel];
  const auto corresponds = [&](std::size_t axis, const Extent& extent) {
    if (axis < node.axes.size()) return node.axes[axis].shared && node.axes[axis].extent == extent;
    return accumulates && node.reduced.size() == 1 && node.reduced[0] == extent;
  };
  const std::size_t count = k.outer.empty() ? 0 : k.outer[0].size();
  OuterAxes result(count, never);
  std::vector<bool> dead(count), met(count);
  for (const auto& use : node.uses) {
    const auto p = producer(use);
    if (!p || places[*p].kernel != kernel) continue;
    const Place& place = places[*p];
    const Node& from = nodes[*p];
    const Member& member = k.stages[place.stage].members[place.member];
    for (std::size_t o = 0; o < count; ++o) {
      const std::size_t stage_axis = k.outer[place.stage][o];
      const auto a = static_cast<std::size_t>(std::find(member.axes.begin(), member.axes.end(), stage_axis) -
                                              member.axes.begin());
      const auto axis = a < from.axes.size() ? lone_axis(use.indices[from.axes[a].dimension]) : std::nullopt;
      if (!axis || !corresponds(*axis, from.axes[a].extent) || (met[o] && result[o] != *axis)) {
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

bool FusedKernels::has_product(const Kernel& kernel) const {
  return std::ranges::any_of(kernel.stages,
                             [&](const FusedStage& stage) { return leader(stage).product.has_value(); });
}

bool FusedKernels::has_unchained(const Kernel& kernel) const {
  return std::ranges::any_of(kernel.stages, [&](const FusedStage& stage) { return leader(stage).unchained; });
}

std::vector<const Node*> FusedKernels::leaders_of(const Kernel& kernel) const {
  std::vector<const Node*> leaders;
  for (const auto& stage : kernel.stages) leaders.push_back(&leader(stage));
  return leaders;
}

}  // namespace codegen::kernel
