#pragma once

#include <optional>
#include <string>
#include <variant>

#include "codegen/schedule/common/axis_group.h"
#include "codegen/schedule/common/lowering.h"
#include "codegen/schedule/cpu/target.h"

/// The policy for one core: what a stage becomes, as a value. Nothing is measured or built to find out.
namespace codegen::schedule::cpu {

/// Loops over points, innermost a vector along one of the stage's own axes if that pays.
struct PointsPlan {
  std::optional<std::size_t> vector_axis;  ///< position in the stage's axes
  std::int64_t width = 1;                  ///< lanes
  /// The position of the other axis of a transposition, if the stage is one: it goes in blocks of `block`
  /// points around the vector's loop, so that each line of either tensor is used up while it is in the cache.
  std::optional<std::size_t> blocked_axis;
  std::int64_t block = 1;
};

/// A contraction as products of tiles: `rows` x `columns` sums in registers, of blocks of rows and columns
/// whose operands are packed together.
struct ProductPlan {
  std::int64_t rows = 0, columns = 0, row_block = 0, column_block = 0;
  std::optional<std::int64_t> k_block;  ///< absent: each element is one chain over all of k
  bool left_direct = false;             ///< the left operand is read from where it is, not packed
  bool right_direct = false;            ///< likewise the right one
};

/// The decision for one stage.
struct StagePlan {
  std::variant<PointsPlan, ProductPlan> plan;
  std::string why;  ///< one line: strategy, sizes, and the condition that decided
};

/// Returns how the stage, whose accesses are to `buffers`, is computed on the target. `small_m`: the
/// variant's guards say that there are at most `small_m_rows` rows. Depends on its arguments alone, and so
/// that every variant reduces in the same order.
StagePlan choose(const kernel::Stage& stage, Buffers buffers, const CpuTarget& target, bool small_m = false);

/// Up to this many rows the right operand is read from where it is: packing would cost more than it saves.
inline constexpr std::int64_t small_m_rows = 8;
/// Sums longer than two of these are blocked by it.
inline constexpr std::int64_t product_k_block = 256;

/// Returns the number of the product's rows, where a variant for few of them differs from the general one and
/// the number is not known when compiling.
std::optional<Extent> small_m_extent(const kernel::Stage& stage, Buffers buffers, const CpuTarget& target);

// The parts of `choose`.

/// Returns the axis, by the cost of a point in scalar instructions for each candidate.
PointsPlan choose_vector(const kernel::Stage& stage, Buffers buffers, const CpuTarget& target);
/// Returns nothing where the stage is no product of tiles.
std::optional<ProductPlan> choose_product(const kernel::Stage& stage, Buffers buffers,
                                          const CpuTarget& target, bool small_m);

/// The axes of a contraction that are the stage's own, each group as one axis.
struct ProductAxes {
  AxisGroup m, n, k;
  explicit ProductAxes(const kernel::Stage& stage);
};

/// Returns how far apart in memory neighbours along the group are, where that is the same everywhere; 0 where
/// the group has no axes.
std::optional<Extent> step_along(Buffers buffers, const Access& access, const AxisGroup& group);

}  // namespace codegen::schedule::cpu
