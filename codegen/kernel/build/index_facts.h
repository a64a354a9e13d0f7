#pragma once

#include <optional>
#include <vector>

#include "codegen/kernel/build/graph.h"

/// Facts about values used as indices.
namespace codegen::kernel {

/// A scatter in which each element of the result receives at most one update. Some index operands are iotas
/// over all axes of the updates, so the update for a result element is known without a search. Such a scatter
/// is computed element by element. The transpose of `gather %x at iota, %label` is an example.
struct PointwiseScatter {
  std::vector<std::size_t> counted;   ///< for each axis of the indices, the index operand that is its iota
  std::vector<std::size_t> compared;  ///< the other index operands
};
/// Returns how `scatter` is computed element by element, or nothing if it cannot be.
std::optional<PointwiseScatter> as_pointwise(const Graph& graph, const dlvm::Instruction& scatter);

/// Returns whether the scatter's indices name each element at most once: one of them is a sort's positions,
/// and the others count the axes across which it sorts.
bool names_distinct_elements(const Graph& graph, const dlvm::Instruction& scatter);

/// Returns whether the index is in [0, end) unless an earlier check fails, because it was checked or is an
/// iota. A parameter that was checked is used for nothing else than the axes for which it was.
bool is_in_bounds(const Graph& graph, const dlvm::Value* index, const Extent& end);

}  // namespace codegen::kernel
