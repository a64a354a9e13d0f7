#pragma once

#include <cstdint>
#include <vector>

namespace dlvm {

/// A directed graph whose edges have capacities, from node 0, the source, to node 1, the sink.
class FlowNetwork {
 public:
  static constexpr std::size_t source = 0, sink = 1;
  /// The capacity of an edge that no cut may contain.
  static constexpr std::int64_t unlimited = INT64_MAX / 4;

  /// Adds a node and returns its number.
  std::size_t add_node();
  void add_edge(std::size_t from, std::size_t to, std::int64_t capacity);

  /// Finds a cut of the least capacity between the source and the sink, of several the one nearest to the
  /// sink, and returns for each node whether it is on the sink's side. The time is O(nodes^2 * edges) at
  /// worst (E. A. Dinic, Algorithm for Solution of a Problem of Maximum Flow in Networks with Power
  /// Estimation, 1970).
  std::vector<bool> sink_side() const;

 private:
  struct Edge {
    std::size_t from, to;
    std::int64_t capacity;
  };
  std::vector<Edge> edges_;  ///< each edge is followed by its reverse one
  std::vector<std::vector<std::size_t>> leaving_ = std::vector<std::vector<std::size_t>>(2);
};

}  // namespace dlvm
