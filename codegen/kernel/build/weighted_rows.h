#pragma once

#include <map>
#include <optional>
#include <vector>

#include "codegen/kernel/ir/kernel.h"

namespace codegen::kernel {

/// The parts of a kernel that weights rows of scores by their maximum, as attention does, found by the forms
/// of its stages alone: what they compute is not looked at.
struct WeightedRows {
  std::uint32_t depth = 0;         ///< of the block of the rows, which is the root or its only child
  const Stage* product = nullptr;  ///< a contraction, which gives a score for each column
  const Stage* maximum = nullptr;  ///< of something that is computed for each column
  std::vector<const Stage*> sums;  ///< of such elements; the last one alone has axes of its own
  std::map<BufferId, const Stage*> elements;  ///< the elementwise stage that computes each buffer
  Axis column;                                ///< over the columns, as in the product

  /// Returns whether the buffer has an element for each column.
  bool is_of_columns(BufferId id) const {
    return elements.contains(id) || id == product->stores[0].access.buffer;
  }
};

/// Returns the parts of the kernel if it has no others. The product and the last sum add up products of two
/// float32 operands, without masks. Each stage stores once: to an element of a local buffer for its column,
/// or its result to a local buffer of no axes; the last sum stores anything. No scalar is one that must not
/// be computed again, or not in float32 instead of 16 bits.
std::optional<WeightedRows> find_weighted_rows(const Kernel& kernel);

/// Returns the stage's only axis of that kind, or null.
const Axis* only_axis(const Stage& stage, AxisKind kind);

/// Returns the local buffer of no axes at that depth where the stage stores its result, if it does.
std::optional<BufferId> result_buffer(const Kernel& kernel, const Stage& stage, std::uint32_t depth);

}  // namespace codegen::kernel
