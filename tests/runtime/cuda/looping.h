#pragma once

#include "tests/runtime/cuda/network.h"

/// The network of network.h, but its derivatives come from loops, which the device decides where the driver
/// lets it, and else the host:
///
///   acc = 0
///   while (i != label[0]) {
///     while (j != label[1]) acc = acc + 1     (into other memory, which is exchanged)
///     if (i is odd) acc = acc + 10; else acc = acc + 100
///   }
///   dw[0] = acc, dw[1] = -acc
namespace looping {

extern const runtime::Entry entry;

/// The value of dw[0].
float expected(int outer, int inner);

/// The nodes that a graph needs for the parameters, kernels, control and conditions.
inline constexpr int64_t conditional_nodes = 4, handles = 4;

}  // namespace looping
