#pragma once

#include "codegen/kernel/build/graph.h"

/// What is known of the elements of values that are used as indices.
namespace codegen::kernel {

/// A scatter in which each element of the result receives at most one update, which is found without a search
/// because some of its indices count the updates' own axes (iota) and together name each. It is then computed
/// element by element, as the transpose of `gather %x at iota, %label` is.
struct PointwiseScatter {
  std::vector<std::size_t> counted;   ///< for each axis of the indices, the index operand that counts it
  std::vector<std::size_t> compared;  ///< the other index operands
};
/// Returns how `scatter` is computed element by element, or nothing if it cannot be.
std::optional<PointwiseScatter> as_pointwise(const Graph& graph, const dlvm::Instruction& scatter);

/// Returns whether an index is known to be in [0, end) if no check has failed: it was checked, or it counts
/// an axis.
bool is_checked(const Graph& graph, const dlvm::Value* index, const Extent& end);

}  // namespace codegen::kernel
