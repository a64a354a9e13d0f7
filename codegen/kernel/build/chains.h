#pragma once

#include "codegen/kernel/build/fuse.h"

/// Which contractions may be stages of a kernel among others (rule 3 of fuse.h).
namespace codegen::kernel {

/// Returns whether the node is a contraction whose right operand is about as large as what a block of rows
/// has along its columns or along k.
bool may_chain(const Node& node);

/// Returns how many other nodes read each node's value, but for those that copy it to a result.
std::vector<std::size_t> reader_counts(const std::vector<Node>& nodes);

/// Takes contractions out of `chained`, which is indexed by node, that are the only one in their kernel and
/// share it with other stages. Returns whether there were any.
bool unchain_lone(const std::vector<Node>& nodes, const std::vector<Group>& groups,
                  std::vector<bool>& chained);

}  // namespace codegen::kernel
