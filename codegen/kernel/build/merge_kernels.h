#pragma once

#include "codegen/kernel/build/fused_kernels.h"

/// Kernels that become one because a node, which has been placed, reads both (rules 1 and 2 of fuse.h).
namespace codegen::kernel {

/// Moves kernels below the node's, which it reads row by row too, into that one, where nothing between reads
/// them and they have all its outer axes; likewise those of a contraction alone that other nodes of its
/// kernel read.
void merge_rows(FusedKernels& all, std::size_t index);

/// Moves kernels of one stage that the node reads at the point of its own stage into that stage, where
/// nothing between reads them. The axes of one of the two stages become those of the other.
void merge_points(FusedKernels& all, std::size_t index);

/// Lets the node, a reduction with a kernel of its own, and the reduction `sibling`, which reads an element
/// of the same value at each of the same points, be computed by one stage, if neither reads the other.
/// Returns whether it does.
bool merge_siblings(FusedKernels& all, std::size_t index, std::size_t sibling);

}  // namespace codegen::kernel
