#include "dlvm/analysis/minimum_cut.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>

namespace dlvm {
namespace {

struct Edge {
  std::size_t from, to;
  std::int64_t capacity;
};

/// What the edges from the source's side to the sink's side can take.
std::int64_t capacity(const std::vector<Edge>& edges, const std::vector<bool>& sink_side) {
  std::int64_t sum = 0;
  for (const Edge& edge : edges)
    if (!sink_side[edge.from] && sink_side[edge.to]) sum += edge.capacity;
  return sum;
}

TEST_CASE("a minimum cut of random networks has the least capacity, and is the nearest to the sink") {
  std::mt19937 random(1);
  const auto below = [&](std::size_t end) {
    return std::uniform_int_distribution<std::size_t>(0, end - 1)(random);
  };
  for (int draw = 0; draw < 300; ++draw) {
    const std::size_t nodes = 2 + below(6);
    FlowNetwork network;
    for (std::size_t i = 2; i < nodes; ++i) network.add_node();
    std::vector<Edge> edges;
    for (std::size_t i = below(16); i-- > 0;) {
      edges.push_back({below(nodes), below(nodes), static_cast<std::int64_t>(below(9))});
      network.add_edge(edges.back().from, edges.back().to, edges.back().capacity);
    }
    const std::vector<bool> found = network.sink_side();
    CHECK(found[FlowNetwork::sink]);
    CHECK_FALSE(found[FlowNetwork::source]);
    for (std::size_t bits = 0; bits < std::size_t{1} << nodes; ++bits) {
      std::vector<bool> side;
      for (std::size_t i = 0; i < nodes; ++i) side.push_back((bits >> i & 1) != 0);
      if (side[FlowNetwork::source] || !side[FlowNetwork::sink]) continue;
      CHECK(capacity(edges, found) <= capacity(edges, side));
      if (capacity(edges, found) == capacity(edges, side))
        CHECK(std::ranges::count(found, true) <= std::ranges::count(side, true));
    }
  }
}

}  // namespace
}  // namespace dlvm
