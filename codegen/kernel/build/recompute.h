#pragma once

#include <map>
#include <set>
#include <vector>

#include "codegen/kernel/build/fuse.h"

namespace codegen::kernel {

/// The largest work, the estimated cycles for one element (`work` in graph.h), for which an element is
/// computed again rather than read: by kernels in general, and by a product, which needs an element of an
/// operand several times.
struct RecomputeLimits {
  std::uint32_t work = 8, operand_work = 6;
  friend bool operator==(const RecomputeLimits&, const RecomputeLimits&) = default;
};

/// The values that each node (fuse.h) computes again from values that are in memory at that time anyway. The
/// key is the value that the node computes.
using Recomputed = std::map<const dlvm::Value*, std::set<const dlvm::Value*>>;

/// The number of launches from which on two uses of a value are far apart.
inline constexpr std::size_t min_launch_distance = 4;
/// The number of launches that are taken to lie between two phases (phases.h) of a function, for its caller
/// calls others between them.
inline constexpr std::size_t launches_between_phases = 64;

/// Chooses the values that are computed again, given the kernel that each node belongs to. A value that is
/// first used soon and then again `min_launch_distance` or more launches later, as a gradient uses it, would
/// take memory all that time. Its late users compute it again if
///  1. that is little work: a chain of elementwise instructions, once for each element;
///  2. it reads no more tensors than before, or two if the node is a product;
///  3. the values that it is computed from are materialized until then anyway, or nearly (a reduction's
///     results are small, and may be materialized).
/// The same instructions compute the elements again, so the results have the same bits.
Recomputed recompute(const Graph& graph, const std::vector<Node>& nodes, const std::vector<Group>& groups,
                     const RecomputeLimits& limits);

}  // namespace codegen::kernel
