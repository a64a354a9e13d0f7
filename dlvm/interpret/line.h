#pragma once

#include <cstdint>
#include <vector>

namespace dlvm::evaluation {

/// A tensor's elements as [outer][along][inner].
struct Line {
  std::size_t outer = 1, along = 1, inner = 1;
  std::size_t at(std::size_t o, std::size_t k, std::size_t i) const { return (o * along + k) * inner + i; }
};

inline Line line(const std::vector<std::int64_t>& extents, std::size_t axis) {
  Line line;
  for (std::size_t i = 0; i < extents.size(); ++i)
    (i < axis ? line.outer : i > axis ? line.inner : line.along) *= static_cast<std::size_t>(extents[i]);
  return line;
}

}  // namespace dlvm::evaluation
