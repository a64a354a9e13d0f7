#include "codegen/kernel/build/merge_kernels.h"

#include <algorithm>
#include <ranges>
#include <utility>

namespace codegen::kernel {
namespace {

/// Returns whether all that kernel `high` reads of `low` is of the same row; outer axis `o` is `paired[o]` of
/// low.
bool reads_rows(const FusedKernels& all, std::size_t high, std::size_t low,
                const std::vector<std::size_t>& paired) {
  const FusedKernels::Kernel& kernel = all.kernels[high];
  for (std::size_t s = 0; s < kernel.stages.size(); ++s)
    for (const Member& member : kernel.stages[s].members) {
      const Node& node = all.nodes[member.node];
      if (!all.reads(node, low)) continue;
      const OuterAxes axes = all.correspondence(node, low);
      for (std::size_t o = 0; o < paired.size(); ++o)
        if (axes[paired[o]] == never || member.axes[axes[paired[o]]] != kernel.outer[s][o]) return false;
    }
  return true;
}

/// The stages of kernel `low` become the first ones of `high`; outer axis `o` of `high` is `paired[o]` of
/// low.
void move_stages(FusedKernels& all, std::size_t low, std::size_t high,
                 const std::vector<std::size_t>& paired) {
  FusedKernels::Kernel &from = all.kernels[low], &to = all.kernels[high];
  const std::size_t moved = from.stages.size();
  for (const auto& stage : to.stages)
    for (const auto& member : stage.members) all.places[member.node].stage += moved;
  for (const auto& stage : from.stages)
    for (const auto& member : stage.members) all.places[member.node].kernel = high;
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

/// Returns whether all that the kernel reads of kernel `low` is read at the point of one stage, of which axis
/// `moved[a]` is axis `a` of the only stage of `low`, and after its reduction, if it has one.
bool reads_points(const FusedKernels& all, std::size_t kernel, std::size_t low,
                  const std::vector<std::size_t>& moved) {
  std::optional<std::size_t> stage;
  for (std::size_t s = 0; s < all.kernels[kernel].stages.size(); ++s)
    for (const Member& member : all.kernels[kernel].stages[s].members) {
      const Node& node = all.nodes[member.node];
      if (!all.reads(node, low)) continue;
      const auto map = all.same_point(node, low, 0);
      if (!node.pointwise || !map || stage.value_or(s) != s) return false;
      stage = s;
      for (std::size_t a = 0; a < map->size(); ++a)
        if (moved[(*map)[a]] != member.axes[a]) return false;
    }
  return true;
}

/// Returns whether both reduce the same points, and at each of them read the same element of a value that has
/// one for every point.
bool read_same_points(const Node& a, const Node& b) {
  if (a.axes.size() != b.axes.size() || a.reduced != b.reduced) return false;
  for (std::size_t i = 0; i < a.axes.size(); ++i)
    if (a.axes[i].extent != b.axes[i].extent) return false;
  const auto has_all_points = [&](const Indices& indices) {
    std::vector<bool> found(a.axes.size() + a.reduced.size());
    for (const Index& index : indices)
      for (const AxisId axis : axes_of(index)) found[axis] = true;
    return std::ranges::find(found, false) == found.end();
  };
  return std::ranges::any_of(a.uses, [&](const Node::Use& use) {
    return has_all_points(use.indices) && std::ranges::any_of(b.uses, [&](const Node::Use& other) {
             return other.value == use.value && other.indices == use.indices;
           });
  });
}

/// The members of the only stage of kernel `low` become members of a stage of `high`. If that reduces, they
/// come behind its first member, and `axes` has its axes by those of `low`; else they come first and give the
/// axes, and `axes` has these by its own.
void move_members(FusedKernels& all, std::size_t low, std::size_t high, std::size_t stage,
                  const std::vector<std::size_t>& axes) {
  FusedKernels::Kernel &from = all.kernels[low], &to = all.kernels[high];
  std::vector<Member>&moved = from.stages[0].members, &members = to.stages[stage].members;
  const auto rename = [&](std::vector<std::size_t>& before) {
    for (std::size_t& axis : before) axis = axes[axis];
  };
  if (all.leader(to.stages[stage]).pointwise) {
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
  for (std::size_t m = 0; m < members.size(); ++m) all.places[members[m].node] = {high, stage, m};
  to.stages[stage].scalars += from.stages[0].scalars;
  to.uses += std::exchange(from.uses, 0);
  to.alone |= from.alone;
  to.first_reader = std::min(to.first_reader, std::max(from.first_reader, high + 1));
  from.stages.clear();
  from.outer.clear();
}

/// Returns the outer axes of the node's kernel as axes of the node.
OuterAxes outer_of(const FusedKernels& all, std::size_t index) {
  const FusedKernels::Place& place = all.places[index];
  const FusedKernels::Kernel& kernel = all.kernels[place.kernel];
  const std::vector<std::size_t>& axes = kernel.stages[place.stage].members[place.member].axes;
  OuterAxes outer;
  for (const std::size_t axis : kernel.outer[place.stage])
    outer.push_back(static_cast<std::size_t>(std::ranges::find(axes, axis) - axes.begin()));
  return outer;
}

/// Moves kernel `other`, which the node reads row by row, into the node's kernel, if that is possible.
void merge_rows_of(FusedKernels& all, std::size_t index, std::size_t other) {
  const std::size_t kernel = all.places[index].kernel;
  FusedKernels::Kernel &low = all.kernels[other], &high = all.kernels[kernel];
  if (low.phase != high.phase || low.alone || low.first_reader < kernel ||
      low.stages.size() + high.stages.size() > max_stages || low.uses + high.uses > max_uses ||
      (all.has_unchained(low) && all.has_product(high)) || (all.has_unchained(high) && all.has_product(low)))
    return;
  const OuterAxes of_low = all.correspondence(all.nodes[index], other);
  const OuterAxes of_node = outer_of(all, index);
  std::vector<std::size_t> paired;
  for (const std::size_t axis : of_node) {
    const auto at = std::find(of_low.begin(), of_low.end(), axis);
    if (at == of_low.end()) return;
    paired.push_back(static_cast<std::size_t>(at - of_low.begin()));
  }
  std::vector<const Node*> leaders = all.leaders_of(low);
  for (std::size_t s = 0; s < leaders.size(); ++s) {
    std::vector<bool> outer(count_axes(*leaders[s]));
    for (const std::size_t o : paired) outer[low.outer[s][o]] = true;
    if (runs_over_contiguous(*leaders[s], outer)) return;
  }
  std::vector<OuterAxes> outer(low.outer.size());
  for (std::size_t s = 0; s < leaders.size(); ++s)
    for (const std::size_t o : paired) outer[s].push_back(low.outer[s][o]);
  outer.insert(outer.end(), high.outer.begin(), high.outer.end());
  for (const Node* leader : all.leaders_of(high)) leaders.push_back(leader);
  if (share_rows(leaders, outer, std::vector<bool>(paired.size(), true)) &&
      reads_rows(all, kernel, other, paired))
    move_stages(all, other, kernel, paired);
}

}  // namespace

void merge_rows(FusedKernels& all, std::size_t index) {
  const std::size_t kernel = all.places[index].kernel;
  std::vector<std::size_t> nodes;
  for (const FusedStage& stage : all.kernels[kernel].stages)
    for (const Member& member : stage.members) nodes.push_back(member.node);
  const auto is_contraction = [&](std::size_t other) {
    return all.kernels[other].stages.size() == 1 && all.has_product(all.kernels[other]);
  };
  for (const std::size_t node : std::views::reverse(nodes))
    for (const std::size_t other : all.producing_kernels(all.nodes[node]))
      if (other != kernel && (node == index || is_contraction(other))) merge_rows_of(all, node, other);
}

bool merge_siblings(FusedKernels& all, std::size_t index, std::size_t sibling) {
  const Node& node = all.nodes[index];
  const std::size_t high = all.places[index].kernel, low = all.places[sibling].kernel;
  FusedKernels::Kernel &own = all.kernels[high], &other = all.kernels[low];
  if (high == low || other.stages.size() != 1 || own.phase != other.phase || all.reads(node, low) ||
      other.uses + own.uses > max_uses || !read_same_points(node, all.nodes[sibling]))
    return false;
  FusedStage &from = other.stages[0], &to = own.stages[0];
  const auto siblings = std::ranges::count_if(
      from.members, [&](const Member& member) { return all.nodes[member.node].sibling; });
  if (siblings >= static_cast<std::ptrdiff_t>(max_siblings) || from.scalars + to.scalars > max_scalars)
    return false;
  // The later of the two kernels is that of both where something between them reads neither; else the earlier
  // one is, if all that the node reads is there before.
  const auto producers = all.producing_kernels(node);
  const bool is_late = other.first_reader > high;
  if (!is_late && !(producers.empty() || producers.front() < low)) return false;
  from.members.insert(from.members.end(), to.members.begin(), to.members.end());
  from.scalars += to.scalars;
  other.uses += own.uses;
  if (is_late) {
    own.stages[0] = std::move(from);
    own.outer = std::move(other.outer);
    own.uses = std::exchange(other.uses, 0);
    own.first_reader = std::min(own.first_reader, other.first_reader);
  }
  FusedKernels::Kernel& left = is_late ? other : own;
  left.stages.clear();
  left.outer.clear();
  left.uses = 0;
  const std::size_t kernel = is_late ? high : low;
  const std::vector<Member>& members = all.kernels[kernel].stages[0].members;
  for (std::size_t m = 0; m < members.size(); ++m) all.places[members[m].node] = {kernel, 0, m};
  return true;
}

void merge_points(FusedKernels& all, std::size_t index) {
  const std::size_t kernel = all.places[index].kernel;
  for (const std::size_t other : all.producing_kernels(all.nodes[index])) {
    if (other == kernel) continue;
    FusedKernels::Kernel &low = all.kernels[other], &high = all.kernels[kernel];
    if (low.phase != high.phase || low.stages.size() != 1 || low.first_reader < kernel ||
        low.uses + high.uses > max_uses)
      continue;
    const FusedKernels::Place place = all.places[index];
    FusedStage &from = low.stages[0], &to = high.stages[place.stage];
    const bool reduces = !all.leader(to).pointwise;
    if (!all.leader(from).pointwise && (reduces || high.stages.size() > 1)) continue;
    if (all.leader(from).divided || all.leader(to).divided || from.scalars + to.scalars > max_scalars)
      continue;
    const auto map = all.same_point(all.nodes[index], other, 0);
    if (!map) continue;
    const std::vector<std::size_t>& axes = to.members[place.member].axes;
    std::vector<std::size_t> moved(axes.size()), back(axes.size());
    for (std::size_t a = 0; a < axes.size(); ++a) {
      moved[(*map)[a]] = axes[a];
      back[axes[a]] = (*map)[a];
    }
    if (reads_points(all, kernel, other, moved))
      move_members(all, other, kernel, place.stage, reduces ? moved : back);
  }
}

}  // namespace codegen::kernel
