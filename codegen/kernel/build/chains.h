#pragma once

#include "codegen/kernel/build/fuse.h"

/// Which contractions may be stages of a kernel among others (rules 3 and 4 of fuse.h).
namespace codegen::kernel {

/// Says what kernels may do with each node.
struct Chains {
  std::vector<bool> chained;      ///< the node may be a stage among others
  std::vector<bool> accumulated;  ///< the node may be a stage that accumulates
  /// The node may be a stage although others read what it reads, if they become stages of the same kernel.
  std::vector<bool> together;
};

/// Returns what may be tried under `which`. Contractions may be stages among others if their right operand is
/// about as large as what a block of rows has along its columns or along k. They may accumulate under
/// `ProductChains::all` if they have a batch, one reduced axis, sums of float32 or float64, and few rows or
/// few columns, `max_chained_extent` at most.
Chains choose_chains(const std::vector<Node>& nodes, ProductChains which);

/// Returns whether the contraction's other operand than the one with `indices` is small for a block of terms:
/// that it has few columns, if this operand has the rows, or few rows, if it has the columns.
bool has_short_counterpart(const Node::Product& product, const Indices& indices);

/// Returns for each node the others that read its value, but for those that copy it to a result.
std::vector<std::vector<std::size_t>> find_readers(const std::vector<Node>& nodes);

/// Takes back what is in vain where a kernel of several stages has one contraction besides those that
/// accumulate, which then is no stage among others, or none, so that none accumulates. Returns whether there
/// was any.
bool unchain_lone(const std::vector<Node>& nodes, const std::vector<Group>& groups, Chains& chains);

/// Takes `together` back of contractions that read a value which nodes of other kernels read as well. Returns
/// whether there were any.
bool part_readers(const std::vector<Node>& nodes, const std::vector<Group>& groups, Chains& chains);

}  // namespace codegen::kernel
