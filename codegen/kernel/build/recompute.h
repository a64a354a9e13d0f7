#pragma once

#include <map>
#include <set>
#include <vector>

#include "codegen/kernel/build/fuse.h"

namespace codegen::kernel {

/// Up to what work (`work`, graph.h) an element is computed again rather than read: by kernels in general,
/// and by a product, which needs an element of an operand several times over.
struct RecomputeLimits {
  std::uint32_t work = 8, operand_work = 6;
  friend bool operator==(const RecomputeLimits&, const RecomputeLimits&) = default;
};

/// The values that each node computes again from what is in memory at that time anyway, by the node's value.
using Recomputed = std::map<const dlvm::Value*, std::set<const dlvm::Value*>>;

/// Chooses them, given which kernel each node belongs to. A value that is first used soon and then again
/// `far` launches later or more (as a gradient does) would take memory all that time. Its late users compute
/// it again where
///  1. that is little work: a chain of elementwise instructions, once for each element;
///  2. no more tensors are read for it than before (two by a product);
///  3. what it is computed from is materialized until then anyway, or nearly (a reduction's results are
///  small, and
///     may be materialized).
/// Elements are computed by the same instructions, so that results have the same bits.
Recomputed recompute(const Graph& graph, const std::vector<Node>& nodes, const std::vector<Group>& groups,
                     const RecomputeLimits& limits);

inline constexpr std::size_t far = 4;

}  // namespace codegen::kernel
