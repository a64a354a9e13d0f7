#include "codegen/kernel/build/outer_axes.h"

#include <algorithm>
#include <limits>

namespace codegen::kernel {

bool accumulates(const Node& node, const OuterAxes& outer) {
  return std::ranges::any_of(outer, [&](std::size_t axis) { return is_reduced(node, axis); });
}

bool runs_over_contiguous(const Node& node, const std::vector<bool>& outer) {
  const auto is_outer = [&](AxisId axis) { return axis < outer.size() && outer[axis]; };
  const auto bad = [&](const Indices& indices) {
    bool inner = false;
    std::vector<AxisId> last;
    for (const Index& index : indices) {
      const std::vector<AxisId> axes = axes_of(index);
      for (const AxisId axis : axes) inner |= !is_outer(axis);
      if (!axes.empty()) last = axes;
    }
    return inner && !last.empty() && std::all_of(last.begin(), last.end(), is_outer);
  };
  for (const auto& use : node.uses)
    if (bad(use.indices)) return true;
  Indices own;
  for (AxisId a = 0; a < node.axes.size(); ++a) own.push_back(axis_index(a));
  return bad(own);
}

bool drop_contiguous(const std::vector<const Node*>& nodes, const std::vector<OuterAxes>& axes,
                     std::vector<bool>& alive) {
  const auto outer_of = [&](std::size_t n) {
    std::vector<bool> outer(count_axes(*nodes[n]));
    for (std::size_t o = 0; o < alive.size(); ++o)
      if (alive[o]) outer[axes[n][o]] = true;
    return outer;
  };
  for (std::size_t n = 0; n < nodes.size();) {
    if (!runs_over_contiguous(*nodes[n], outer_of(n))) {
      ++n;
      continue;
    }
    constexpr auto none = std::numeric_limits<std::size_t>::max();
    std::size_t innermost = none;
    for (std::size_t o = 0; o < alive.size(); ++o)
      if (alive[o] && (innermost == none || axes[n][o] > axes[n][innermost])) innermost = o;
    if (innermost == none) break;
    alive[innermost] = false;
    n = 0;
  }
  if (std::find(alive.begin(), alive.end(), true) == alive.end()) return false;
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    const auto outer = outer_of(n);
    if (std::ranges::find(outer, false) != outer.end()) return true;
  }
  return false;
}

void drop_columns(const std::vector<const Node*>& nodes, const std::vector<OuterAxes>& axes,
                  std::vector<bool>& alive) {
  for (std::size_t n = 0; n < nodes.size(); ++n)
    for (std::size_t o = 0; nodes[n]->product && o < alive.size(); ++o)
      if (std::ranges::count(nodes[n]->product->columns, axes[n][o]) > 0) alive[o] = false;
}

bool share_rows(const std::vector<const Node*>& nodes, const std::vector<OuterAxes>& axes,
                const std::vector<bool>& alive) {
  const auto has = [](const std::vector<std::size_t>& group, std::size_t axis) {
    return std::ranges::find(group, axis) != group.end();
  };
  const auto is_outer = [&](std::size_t n, std::size_t axis) {
    for (std::size_t o = 0; o < alive.size(); ++o)
      if (alive[o] && axes[n][o] == axis) return true;
    return false;
  };
  std::vector<bool> rows = alive;
  for (std::size_t n = 0; n < nodes.size(); ++n)
    if (nodes[n]->product &&
        !std::ranges::all_of(nodes[n]->product->batch, [&](std::size_t axis) { return is_outer(n, axis); }))
      return false;
  const auto last = std::find(alive.rbegin(), alive.rend(), true);  // the only one that is accumulated
  for (std::size_t n = 0; n < nodes.size(); ++n)
    for (std::size_t o = 0; nodes[n]->product && o < alive.size(); ++o) {
      if (!alive[o]) continue;
      const bool is_accumulated = is_reduced(*nodes[n], axes[n][o]);
      if (has(nodes[n]->product->columns, axes[n][o])) return false;
      if (is_accumulated && o + 1 != static_cast<std::size_t>(alive.rend() - last)) return false;
      rows[o] = rows[o] && (is_accumulated || has(nodes[n]->product->rows, axes[n][o]));
    }
  return std::ranges::find(rows, true) != rows.end();
}

}  // namespace codegen::kernel
