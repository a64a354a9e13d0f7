#include "dlvm/analysis/minimum_cut.h"

#include <algorithm>

namespace dlvm {

std::size_t FlowNetwork::add_node() {
  leaving_.emplace_back();
  return leaving_.size() - 1;
}

void FlowNetwork::add_edge(std::size_t from, std::size_t to, std::int64_t capacity) {
  leaving_[from].push_back(edges_.size());
  edges_.push_back({from, to, capacity});
  leaving_[to].push_back(edges_.size());
  edges_.push_back({to, from, 0});
}

std::vector<bool> FlowNetwork::sink_side() const {
  constexpr std::size_t none = SIZE_MAX;
  auto rest = edges_;              // with what each edge can still take
  std::vector<std::size_t> level;  // how far each node is from the source
  std::vector<std::size_t> next;   // how many of its edges are exhausted at this level
  const auto find_levels = [&] {
    level.assign(leaving_.size(), none);
    next.assign(leaving_.size(), 0);
    level[source] = 0;
    std::vector<std::size_t> open{source};
    for (std::size_t i = 0; i < open.size(); ++i)
      for (const std::size_t edge : leaving_[open[i]])
        if (const std::size_t to = rest[edge].to; rest[edge].capacity > 0 && level[to] == none) {
          level[to] = level[open[i]] + 1;
          open.push_back(to);
        }
    return level[sink] != none;
  };
  std::vector<std::size_t> path;  // edges
  // Goes one edge on from the node if one leads to the next level.
  const auto advance = [&](std::size_t at) {
    for (std::size_t& i = next[at]; i < leaving_[at].size(); ++i) {
      const Edge& edge = rest[leaving_[at][i]];
      if (edge.capacity == 0 || level[edge.to] != level[at] + 1) continue;
      path.push_back(leaving_[at][i]);
      return true;
    }
    return false;
  };
  const auto augment = [&] {
    std::int64_t least = unlimited;
    for (const std::size_t edge : path) least = std::min(least, rest[edge].capacity);
    std::size_t full = path.size();
    for (std::size_t i = path.size(); i-- > 0;) {
      rest[path[i]].capacity -= least;
      rest[path[i] ^ 1].capacity += least;
      if (rest[path[i]].capacity == 0) full = i;
    }
    path.resize(full);  // all paths that remain leave it there
  };
  while (find_levels())
    for (bool open = true; open;) {
      const std::size_t at = path.empty() ? source : rest[path.back()].to;
      if (at == sink)
        augment();
      else if (advance(at))
        continue;
      else if (path.empty())
        open = false;
      else {
        ++next[rest[path.back()].from];
        path.pop_back();
      }
    }
  std::vector<bool> side(leaving_.size());
  side[sink] = true;
  std::vector<std::size_t> open{sink};
  for (std::size_t i = 0; i < open.size(); ++i)
    for (const std::size_t edge : leaving_[open[i]])  // its reverse goes to the node
      if (const std::size_t from = rest[edge].to; rest[edge ^ 1].capacity > 0 && !side[from]) {
        side[from] = true;
        open.push_back(from);
      }
  return side;
}

}  // namespace dlvm
