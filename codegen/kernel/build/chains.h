#pragma once

#include "codegen/kernel/build/fuse.h"

/// Which contractions may be stages of a kernel among others (rules 3 and 4 of fuse.h).
namespace codegen::kernel {

/// What is allowed of the nodes, by which they are numbered.
struct Chains {
  std::vector<bool> chained;      ///< may be a stage among others
  std::vector<bool> accumulated;  ///< may be one that accumulates
  /// May read what others read that may accumulate, so that all of them are stages of the kernel.
  std::vector<bool> together;
};

/// Returns what may be tried: contractions are stages among others if their right operand is about as large
/// as what a block of rows has along its columns or along k, and accumulate if they have a batch and their
/// rows or columns are that few.
Chains choose_chains(const std::vector<Node>& nodes);

/// Returns whether that few are the columns of the contraction, if the operand with `indices` has its rows,
/// or the rows, if it has its columns.
bool has_short_counterpart(const Node::Product& product, const Indices& indices);

/// Returns for each node the others that read its value, but for those that copy it to a result.
std::vector<std::vector<std::size_t>> find_readers(const std::vector<Node>& nodes);

/// Take back what was allowed in vain, and return whether there was any: `unchain_lone` of contractions that
/// are the only one in their kernel, besides those that accumulate there, and share it with other stages;
/// `part_readers` of those that read a value together with nodes of other kernels.
bool unchain_lone(const std::vector<Node>& nodes, const std::vector<Group>& groups, Chains& chains);
bool part_readers(const std::vector<Node>& nodes, const std::vector<Group>& groups, Chains& chains);

}  // namespace codegen::kernel
