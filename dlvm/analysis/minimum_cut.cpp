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
  auto rest = edges_;           // with what each edge can still take
  std::vector<std::size_t> by;  // the edge by which a shortest path reaches each node
  const auto find_path = [&] {
    by.assign(leaving_.size(), none);
    std::vector<std::size_t> open{source};
    for (std::size_t i = 0; i < open.size() && by[sink] == none; ++i)
      for (const std::size_t edge : leaving_[open[i]])
        if (const std::size_t to = rest[edge].to; rest[edge].capacity > 0 && to != source && by[to] == none) {
          by[to] = edge;
          open.push_back(to);
        }
    return by[sink] != none;
  };
  while (find_path()) {
    std::int64_t least = unlimited;
    for (std::size_t at = sink; at != source; at = rest[by[at]].from)
      least = std::min(least, rest[by[at]].capacity);
    for (std::size_t at = sink; at != source; at = rest[by[at]].from) {
      rest[by[at]].capacity -= least;
      rest[by[at] ^ 1].capacity += least;
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
