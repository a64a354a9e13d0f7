#pragma once

#include <optional>
#include <span>
#include <string>
#include <variant>

#include "codegen/schedule/common/axis_group.h"
#include "codegen/schedule/common/lowering.h"
#include "codegen/schedule/cpu/target.h"

/// The policy for one core: pure functions that return the decision for each stage as a value. Nothing is
/// measured or built to find out.
namespace codegen::schedule::cpu {

/// Loops over points. The innermost one is a vector along one of the stage's own axes if that pays.
struct PointsPlan {
  std::optional<std::size_t> vector_axis;  ///< the position in the stage's axes
  std::int64_t width = 1;                  ///< the number of lanes
  /// So many vectors are a step of the loop: those of a reduction have sums of their own, which do not wait
  /// for each other.
  std::int64_t copies = 1;
  bool interleaved = false;  ///< the vectors of a step are one of all their lanes (`interleaves`)
  /// The position of the other axis of a transposition, if the stage is one. It is traversed in blocks of
  /// `block` points around the vector's loop, so that each line of either tensor is used completely while it
  /// is in the cache.
  std::optional<std::size_t> blocked_axis;
  std::int64_t block = 1;
  /// If this is more than 1, the vector axis is one of the results', and so many vectors of results are
  /// reduced together: each reduced point is a piece of memory of as many vectors.
  std::int64_t columns = 1;
  /// If this is more than 0, the sums of so many results, a multiple of those vectors, are in memory, and
  /// each reduced point is as long a piece of memory.
  std::int64_t column_block = 0;
};

/// The loop nests of products.
enum class ProductForm : std::uint8_t {
  panels,           ///< blocks of rows and of columns (schedule_product.cpp)
  streamed,         ///< few rows; the right operand is read along its memory (schedule_streamed_product.cpp)
  rows_of_columns,  ///< the columns are the points of several axes (schedule_rows_product.cpp)
  /// The right operand is lines of memory, which every term reads where they are, for one line of the result
  /// or for all whose windows have them (schedule_lines_product.cpp).
  lines,
  sliding_lines,
  lanes_along_k,  ///< lanes are terms, not columns (schedule_lanes_product.cpp)
  windows,        ///< lanes are rows; a tile's rows are columns (schedule_windows_product.cpp)
  /// Lanes are rows; a tile's rows are columns along a line of the result (schedule_pixels_product.cpp).
  pixels,
};

/// The lines of memory that the copy has from which products read their right operand.
enum class LineCopy : std::uint8_t {
  inside,  ///< those that are in memory; products leave out the others as a whole
  zeros,   ///< also those outside of memory, as zeros
  dense,   ///< as `zeros`, once for each position of the window along a line, so that lines adjoin
};

/// A contraction as products of tiles: `rows` x `columns` sums in registers, in blocks of rows and columns
/// whose operands are packed together.
struct ProductPlan {
  std::int64_t rows = 0, columns = 0, row_block = 0, column_block = 0;
  /// The number of rows for which a block of the right operand is packed once: whole blocks of rows. Only the
  /// form of panels uses it, where k has blocks.
  std::int64_t row_group = 0;
  std::optional<std::int64_t> k_block;  ///< absent if each element is one chain over all of k
  ProductForm form = ProductForm::panels;
  /// A streamed product adds so many terms for all columns of a block before the next terms begin.
  std::optional<std::int64_t> k_step;
  bool left_direct = false;   ///< the left operand is read from where it is, not packed
  bool left_panels = false;   ///< of pixels: the left operand is panels in memory (pack_operands.h)
  bool right_direct = false;  ///< the right operand is read from where it is, not packed
  bool right_panels = false;  ///< the right operand is panels in memory (pack_operands.h)
  /// A tile of panels or of pixels fetches a part of the operand's next panel, or of the block that is packed
  /// next.
  bool fetches_ahead = false;
  bool right_rows = false;  ///< of rows of columns: the right operand is packed row of memory by row
  /// Of rows of columns, where k has blocks: the right operand is packed for all of k and kept while one
  /// block of rows after the other is computed; else the sums of all rows are kept.
  bool right_kept = false;
  /// Of rows of columns: if this is more than 0, the last tile has so few columns that these are the rows of
  /// a product whose lanes are the rows of the tile.
  std::int64_t last_columns = 0;
  LineCopy line_copy = LineCopy::inside;  ///< of lines, lanes, windows and pixels
  /// The form of pixels copies the lines of so many positions of n's first axis, the batch aside, together.
  std::int64_t strip = 0;
};

/// The decision for one stage.
struct StagePlan {
  std::variant<PointsPlan, ProductPlan> plan;
  std::string why;  ///< one line: strategy, sizes, and the condition that decided
};

/// Returns the plan of the stage, whose accesses are to `buffers`. `small_m` says that the variant's guards
/// allow at most `small_m_rows` rows. The plan depends on the arguments alone, and every variant reduces in
/// the same order.
StagePlan choose(const kernel::Stage& stage, Buffers buffers, const CpuTarget& target, bool small_m = false);

/// The largest number of rows for which the right operand is not packed, because packing would cost more than
/// it saves.
inline constexpr std::int64_t small_m_rows = 16;
/// The length of the blocks into which sums are split that are longer than two blocks.
inline constexpr std::int64_t product_k_block = 256;

/// The largest right operand, in bytes, that products of few rows read tile by tile, and that others do not
/// fetch ahead: it stays in the caches near a core.
inline constexpr std::int64_t streamed_bytes = 256 << 10;

/// Returns the number of the product's rows if it is unknown at compile time and a variant for few rows
/// differs from the general one.
std::optional<Extent> small_m_extent(const kernel::Stage& stage, Buffers buffers, const CpuTarget& target);

/// Returns whether vectors are computed together, instruction by instruction, because one of the scalars is
/// costly, as an exponential is, and its constants do not fit the registers.
bool interleaves(std::span<const Scalar> scalars, const CpuTarget& target);

// The parts of `choose`.

/// Returns the plan of a product in words, and the conditions that decided.
std::string explain(const ProductPlan& plan, const kernel::Stage& stage, bool small_m);
/// Returns the cheapest vector axis, by the cost of a point in scalar instructions.
PointsPlan choose_vector(const kernel::Stage& stage, Buffers buffers, const CpuTarget& target);
/// Returns the tiles of a product, or nothing if the stage is no product. `frozen`: what it packs would be
/// packed before the call.
std::optional<ProductPlan> choose_product(const kernel::Stage& stage, Buffers buffers,
                                          const CpuTarget& target, bool small_m, bool frozen = false);

/// The axes of a contraction that belong to the stage itself, each group collapsed into one axis.
struct ProductAxes {
  AxisGroup m, n, k;
  explicit ProductAxes(const kernel::Stage& stage);
};

/// Returns the first axis of the columns if it alone says where the right operand's first axis is read, as
/// that of a batch does; else null.
const kernel::Axis* batch_of_columns(const kernel::Stage& stage, const ProductAxes& axes);
/// Returns the contraction with the columns of one element of the batch, so that whether lanes are terms does
/// not depend on the batch: the axis of `batch_of_columns` is one of the batch there, if it is not the only
/// one.
kernel::Stage with_batch_apart(const kernel::Stage& stage);

/// Returns the contraction as a product of strips: that of `with_batch_apart`, in which each `strip`
/// positions of the first axis of n are a strip, and the strips an axis of the batch. `strip` divides the
/// axis's extent.
kernel::Stage with_strips_apart(const kernel::Stage& stage, std::int64_t strip);

/// A group of axes as a collapsed outer part and inner axes, whose constant extents multiply to `size`.
struct SplitAxes {
  AxisGroup outer;
  std::vector<const kernel::Axis*> inner;
  std::int64_t size = 1;
};
/// Returns the last axes of n along which the right operand and the results are in memory in one step, as one
/// axis: at least the last one.
AxisGroup line_of_columns(const kernel::Stage& stage, Buffers buffers, const AxisGroup& n);
/// Returns the last axes of n along which the results, and what the epilogue reads, are in memory in one
/// step.
AxisGroup line_of_results(const kernel::Stage& stage, Buffers buffers, const AxisGroup& n);
/// Splits k so that the inner part fits a block of `product_k_block`.
SplitAxes split_k(const AxisGroup& k);

/// Returns the distance in memory between neighbours along the group, if it is the same everywhere; 0 if the
/// group has no axes.
std::optional<Extent> step_along(Buffers buffers, const Access& access, const AxisGroup& group);
/// Returns `step_along` also for several axes that are one in memory.
std::optional<Extent> collapsed_step(Buffers buffers, const Access& access, const AxisGroup& group);

}  // namespace codegen::schedule::cpu
