// A node of every case whose name the class of nodes needs for itself.
#include <cstdio>

#include "tree_names.hpp"

int main() {
  tree_names::TreeNodes nodes;
  auto top = nodes.Node_(1);
  top = nodes.rooted_(top);   // 2
  top = nodes.size_(top);     // 4
  top = nodes.depth__(top);   // 12
  top = nodes.depth___(top);  // 60
  top = nodes.depths__(top);  // 420
  top = nodes.clear_(top);    // 422
  top = nodes.add_(top);      // 425
  top = nodes.Tables_(top);   // 429
  top = nodes.tables__(top);  // 434
  const auto [y] = tree_names::forward({.t = nodes.rooted(top), .value_depth = nodes.depth()});
  if (y == 434 && nodes.size() == 10) return 0;
  std::printf("%g of %zu nodes\n", double(y), nodes.size());
  return 1;
}
