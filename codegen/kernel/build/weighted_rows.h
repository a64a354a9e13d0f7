#pragma once

#include <map>
#include <optional>
#include <vector>

#include "codegen/kernel/ir/kernel.h"

namespace codegen::kernel {

/// Rows of at most this many columns are kept without loss.
inline constexpr std::int64_t few_columns = 128;

/// The parts of a kernel that weights rows of scores by their maximum, as attention does, found by the forms
/// of its stages alone: what they compute is not looked at.
struct WeightedRows {
  std::uint32_t depth = 0;         ///< of the block of the rows, which is the root or its only child
  const Stage* product = nullptr;  ///< a contraction, which gives a score for each column
  const Stage* maximum = nullptr;  ///< of something that is computed for each column
  std::vector<const Stage*> sums;  ///< of such elements; the last one alone has axes of its own
  /// The stage that computes the elements of a buffer one by one, and the scalar that it stores.
  struct Element {
    const Stage* stage = nullptr;
    ScalarId value = 0;
  };
  std::map<BufferId, Element> elements;
  Axis column;  ///< over the columns, as in the product

  /// Returns whether the buffer has an element for each column.
  bool is_of_columns(BufferId id) const {
    return elements.contains(id) || id == product->stores[0].access.buffer;
  }
};

/// Returns the parts of the kernel if it has no others. The product and the last sum add up products of two
/// float32 operands, without masks. Each stage stores to elements of local buffers
/// for its column, the product to one, or results to local buffers of no axes and to arguments; the last sum
/// stores anything. No scalar is one that must not be computed again, or not in float32 instead of 16 bits.
std::optional<WeightedRows> find_weighted_rows(const Kernel& kernel);

/// Returns whether the stage adds up the products of its operands, float32, without masks.
bool is_float32_product(const Stage& stage);

/// Returns the stage's only axis of that kind, or null.
const Axis* only_axis(const Stage& stage, AxisKind kind);

/// Returns whether the stage stores to arguments and to local buffers of no axes at that depth alone.
bool stores_results(const Kernel& kernel, const Stage& stage, std::uint32_t depth);

}  // namespace codegen::kernel
