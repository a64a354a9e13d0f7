// When a product reads its right operand, or both operands, as lines of memory.
#include "codegen/schedule/cpu/choose_lines.h"

#include <algorithm>

#include "codegen/schedule/common/contraction_builder.h"
#include "codegen/schedule/cpu/input_lines.h"
#include "codegen/schedule/cpu/tile_sizes.h"

namespace codegen::schedule::cpu {
namespace {

using kernel::Axis;
using kernel::Stage;

/// Bytes, at most, of the copy of an operand that is read in place, and of the packed operand beside it.
constexpr std::int64_t copy_bytes = 256 << 10;
/// The vectors of a tile across, at most.
constexpr std::int64_t max_vectors = 4;
/// The terms for which LLVM loads vectors ahead; with 32 registers these fit in beside the sums.
constexpr std::int64_t loaded_ahead = 4;
/// How the cost of a vector of columns for one term is counted, in multiply-adds: a row of memory that is
/// packed takes a masked load with the computation of its mask, a packed vector also a store; a load from any
/// place of a line that is read in place mostly takes two lines of the cache.
constexpr std::int64_t packing_cost = 4, unaligned_cost = 2;
/// The cost of a vector of a line that goes to the copy.
constexpr double copying_cost = 3;
/// The cost of adding a vector of sums to totals, in multiply-adds; and of keeping it in memory between the
/// terms of one line and those of the next.
constexpr std::int64_t total_cost = 4, memory_cost = 3;
/// The cost of a vector that is transposed with its neighbours.
constexpr std::int64_t transposing_cost = 6;
/// The columns, at most, of a tile whose lanes are terms.
constexpr std::int64_t max_lane_columns = 6;

/// Returns the bytes of that many elements of the sums' type.
std::int64_t bytes_of(const Stage& stage, std::int64_t elements) {
  return elements * dlvm::info(stage.reduction->types[0]).bytes;
}

/// Returns how many vectors hold that many elements.
std::int64_t vectors_of(std::int64_t elements, std::int64_t width) { return (elements + width - 1) / width; }

/// Returns the number of positions that the axes have together.
std::int64_t size_of(const std::vector<const Axis*>& axes) {
  std::int64_t size = 1;
  for (const Axis* axis : axes) size *= *axis->extent.constant();
  return size;
}

/// Returns the vectors of the copy of the lines.
std::int64_t copied_vectors(const InputLines& lines, std::int64_t width) {
  const std::int64_t line = std::max<std::int64_t>(lines.axes.back().extent, 1);
  return lines.size() / line * vectors_of(line, width);
}

/// Returns the lines with that copy, if the operand has this form and the copy is not too large.
std::optional<InputLines> small_lines(const Stage& stage, const AxisGroup& n, const AxisGroup& k,
                                      LineCopy copy, std::int64_t width) {
  auto lines = input_lines(stage, n, k, copy);
  if (lines && bytes_of(stage, copied_vectors(*lines, width) * width) > copy_bytes) lines.reset();
  return lines;
}

/// Returns what `rows` rows of the product cost for one term and as many columns as a vector has, if the
/// right operand is read from this copy. `share`: that of the lines which are in memory.
double cost_in_place(const InputLines& lines, LineCopy copy, std::int64_t rows, double share,
                     std::int64_t width) {
  const std::int64_t columns = size_of(lines.line), results = columns * size_of(lines.lines);
  const auto terms = static_cast<double>(size_of(lines.terms)),
             points = terms * static_cast<double>(size_of(lines.choice));
  const double filled =
      static_cast<double>(columns) / static_cast<double>(vectors_of(columns, width) * width);
  double cost = static_cast<double>(rows) / filled;
  if (copy == LineCopy::inside && !lines.choice.empty()) cost *= share * (1 + memory_cost / terms);
  return cost + copying_cost * static_cast<double>(copied_vectors(lines, width) * width) / points /
                    static_cast<double>(results);
}

/// Returns the rows of a tile of all rows of the product for all positions of the window in which a line is;
/// 0 if there is no such tile, or if each line of the result alone makes as good a tile.
std::int64_t sliding_rows(const InputLines& lines, const Stage& stage, std::int64_t rows,
                          std::int64_t vectors, const CpuTarget& target, std::int64_t width) {
  if (rows >= unaligned_cost && rows * vectors >= busy_sums) return 0;
  const auto sliding = lines.sliding();
  if (!sliding || lines.terms.size() < 2) return 0;
  const std::int64_t windows = *sliding->term->extent.constant(), together = windows * rows;
  const std::int64_t most = rows == 1 ? tile_rows(target) : target.vector_registers - 2;
  const std::int64_t sums = sliding->result_lines() * rows * max_vectors * width;
  const bool is_tile = windows >= unaligned_cost && together <= most && (rows == 1 || sliding->step == 1);
  return is_tile && bytes_of(stage, sums) <= copy_bytes ? together : 0;
}

}  // namespace

void choose_lines(ProductPlan& plan, const Stage& stage, const ProductAxes& axes, std::int64_t width,
                  const CpuTarget& target) {
  const auto rows = axes.m.extent.constant(), line = axes.n.axes.back()->extent.constant();
  if (plan.k_block || !rows || *rows < 1 || !line) return;
  if (bytes_of(stage, *rows * *axes.k.extent.constant()) > copy_bytes) return;
  const auto inside = small_lines(stage, axes.n, axes.k, LineCopy::inside, width);
  if (!inside) return;
  const std::int64_t windows = sliding_rows(*inside, stage, *rows, vectors_of(*line, width), target, width);
  const bool one_slides = *rows < unaligned_cost && windows > 0;
  const std::int64_t used = one_slides ? *rows : std::max(*rows, unaligned_cost);
  const double share = inside->share_in_memory();
  double lowest = cost_in_place(*inside, LineCopy::inside, used, share, width);
  std::int64_t columns = *line;
  LineCopy best = LineCopy::inside;
  for (const LineCopy copy : {LineCopy::zeros, LineCopy::dense}) {
    const auto lines = one_slides ? std::nullopt : small_lines(stage, axes.n, axes.k, copy, width);
    const double cost = lines ? cost_in_place(*lines, copy, used, share, width) : lowest;
    if (cost < lowest) lowest = cost, best = copy, columns = size_of(lines->line);
  }
  const std::int64_t rows_of_vector = (width + *line - 2) / *line + 1;
  const std::int64_t packed = *rows + packing_cost * rows_of_vector;
  if (lowest * 5 >= static_cast<double>(packed * 4)) return;
  const bool slides = best == LineCopy::inside && windows > 0;
  plan.form = slides ? ProductForm::sliding_lines : ProductForm::lines;
  plan.line_copy = best;
  if (slides) plan.rows = windows;
  const std::int64_t ahead = target.vector_registers >= 32 ? loaded_ahead : 1;
  const std::int64_t most = (target.vector_registers - 1) / (plan.rows + ahead);
  plan.columns =
      even_vectors(vectors_of(columns, width), std::clamp<std::int64_t>(most, 1, max_vectors)) * width;
}

namespace {

/// Returns the largest divisor of `count` that is at most `most`.
std::int64_t largest_divisor(std::int64_t count, std::int64_t most) {
  most = std::clamp<std::int64_t>(most, 1, count);
  while (count % most != 0) --most;
  return most;
}

/// Returns whether the left operand is read from where it is: it is contiguous along the lines.
bool is_left_direct(const Stage& stage, Buffers buffers, const ProductAxes& axes, const InputLines& lines) {
  const Access* left = plain_access(stage, stage.contraction->left);
  if (left == nullptr || buffers[left->buffer].element != stage.reduction->types[0]) return false;
  const Index place = offset(*left, buffers[left->buffer].layout);
  const auto is_linear = [&](const Axis* axis) { return stride(place, axis->id).has_value(); };
  if (!std::ranges::all_of(lines.lines, is_linear)) return false;
  AxisGroup line;
  for (const Axis* axis : lines.line) line.add(*axis);
  const auto across = collapsed_step(buffers, *left, axes.m), along = collapsed_step(buffers, *left, line);
  return along && along->is(1) && across && across->constant();
}

/// Returns what one term of k costs, if lanes are terms: multiply-adds, what packing costs, and adding the
/// sums of a tile to totals.
double cost_in_lanes(const InputLines& lines, bool left_direct, std::int64_t rows, std::int64_t columns,
                     std::int64_t width) {
  const std::int64_t line = size_of(lines.line), vectors = vectors_of(line, width);
  const auto count = static_cast<double>(size_of(lines.lines)), sums = static_cast<double>(rows * columns);
  double cost = static_cast<double>(vectors) * sums + static_cast<double>(total_cost) * sums / count;
  if (!left_direct) cost += static_cast<double>(vectors * packing_cost * rows);
  return (cost + copying_cost * static_cast<double>(copied_vectors(lines, width)) / count) /
         static_cast<double>(line);
}

/// Returns the rows of a tile of windows, as many as registers beside the operands allow, if lanes are rows
/// of the product; 0 if those are no whole vectors, or too many.
std::int64_t rows_of_windows(const InputLines& lines, std::int64_t rows, std::int64_t width,
                             const CpuTarget& target) {
  const std::int64_t vectors = rows / width,
                     most = (target.vector_registers - 1) / std::max<std::int64_t>(vectors, 1) - 1;
  const std::vector<const Axis*> even = lines.even_terms();
  if (rows % width != 0 || vectors > max_vectors || most < 1 || even.empty() || !lines.lines.empty())
    return 0;
  const std::int64_t tile = largest_divisor(size_of(even), most);
  return size_of(lines.line) >= width && tile * vectors >= busy_sums ? tile : 0;
}

/// Returns what one term of k costs, if lanes are rows of the product and a tile has `tile` windows.
double cost_of_windows(const InputLines& lines, std::int64_t rows, std::int64_t columns, std::int64_t tile,
                       std::int64_t width) {
  const std::int64_t vectors = rows / width;
  const auto line = static_cast<double>(size_of(lines.line)), sums = static_cast<double>(columns * vectors);
  const double loads = static_cast<double>(tile + vectors) / static_cast<double>(tile * vectors);
  return sums * std::max(1.0, loads) + static_cast<double>(transposing_cost * vectors) +
         (static_cast<double>(total_cost) * sums +
          copying_cost * static_cast<double>(copied_vectors(lines, width))) /
             line;
}

}  // namespace

void choose_lanes(ProductPlan& plan, const Stage& stage, Buffers buffers, const ProductAxes& axes,
                  std::int64_t width, const CpuTarget& target) {
  const auto rows = axes.m.extent.constant(), columns = axes.n.extent.constant(),
             line = axes.k.axes.back()->extent.constant(), window = axes.n.axes.back()->extent.constant();
  if (!rows || *rows < 1 || !columns || !line || !window) return;
  const std::int64_t across = vectors_of(*columns, width),
                     rows_of_vector = (width + *window - 2) / *window + 1;
  double lowest = 0.8 * static_cast<double>(across * (*rows + packing_cost * rows_of_vector));
  bool is_lower = false;
  for (const LineCopy copy : {LineCopy::zeros, LineCopy::dense}) {
    const auto lines = small_lines(stage, axes.k, axes.n, copy, width);
    if (!lines) continue;
    const bool direct = is_left_direct(stage, buffers, axes, *lines);
    const std::int64_t packed_line = vectors_of(*line, width) * width * size_of(lines->lines);
    if (bytes_of(stage, *rows * *columns * width) > copy_bytes) continue;
    if (copy == LineCopy::dense ? !direct : bytes_of(stage, *rows * packed_line) > copy_bytes) continue;
    const double cost = cost_in_lanes(*lines, direct, *rows, *columns, width);
    if (cost >= lowest) continue;
    lowest = cost, is_lower = true;
    plan.line_copy = copy;
    plan.left_direct = direct;
  }
  const auto dense = small_lines(stage, axes.k, axes.n, LineCopy::dense, width);
  const bool small = bytes_of(stage, *rows * *columns) <= copy_bytes;
  if (dense && small && is_left_direct(stage, buffers, axes, *dense)) {
    const std::int64_t tile = rows_of_windows(*dense, *rows, width, target);
    if (tile > 0 && cost_of_windows(*dense, *rows, *columns, tile, width) < lowest) {
      plan.form = ProductForm::windows;
      plan.line_copy = LineCopy::dense;
      plan.columns = *rows;
      plan.rows = tile;
      return;
    }
  }
  if (!is_lower) return;
  plan.form = ProductForm::lanes_along_k;
  plan.columns = largest_divisor(*window, max_lane_columns);
  plan.rows = even_rows(*rows, (target.vector_registers - 1 - plan.columns) / plan.columns);
}

}  // namespace codegen::schedule::cpu
