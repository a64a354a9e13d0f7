// When the lanes of a convolution are filters, and a tile's rows are pixels.
#include "codegen/schedule/cpu/choose_pixels.h"

#include <algorithm>

#include "codegen/kernel/ir/walk.h"
#include "codegen/schedule/common/contraction_builder.h"
#include "codegen/schedule/cpu/input_lines.h"
#include "codegen/schedule/cpu/tile_sizes.h"

namespace codegen::schedule::cpu {
namespace {

using kernel::Axis;
using kernel::AxisId;
using kernel::Stage;

/// Bytes, at most, of the lines that are copied together, but for what spreads them over the sets of a cache:
/// the copy stays in the L2 cache beside the left operand's panel and the sums.
constexpr std::int64_t strip_bytes = 384 << 10;
/// The vectors of a tile across, at most.
constexpr std::int64_t max_vectors = 3;
/// Cost is counted in cycles. Two multiply-adds take one, and a load takes `load_cycles`; the sums of a tile
/// wait for `least_cycles`, and each term takes `other_cycles` beside these, and `miss_cycles` more where
/// what a block of k reads does not stay in the first cache. Packing a vector of columns for a term takes
/// `packing_cycles`, and copying it with a line `copying_cycles`.
constexpr double least_cycles = 4, load_cycles = 0.6, other_cycles = 1, miss_cycles = 1, packing_cycles = 2,
                 copying_cycles = 1.5;
/// The largest panels that stay in the L2 cache from strip to strip.
constexpr std::int64_t near_bytes = 1 << 20;
/// The cycles in which a vector of sums is transposed, beside what any product does with it; and those in
/// which a vector of larger panels comes.
constexpr double transposing_cycles = 8, far_cycles = 12;

std::int64_t divided_up(std::int64_t count, std::int64_t by) { return (count + by - 1) / by; }

/// Returns the cycles that a tile takes for one term.
double cycles_of_tile(std::int64_t rows, std::int64_t vectors) {
  return std::max({static_cast<double>(rows * vectors) / 2, static_cast<double>(rows + vectors) * load_cycles,
                   least_cycles}) +
         other_cycles;
}

/// Returns the cycles that one term takes for all tiles of a line.
double cycles_of_line(std::int64_t line, std::int64_t rows, std::int64_t vectors) {
  const std::int64_t whole = line / rows;
  const double rest = line % rows == 0 ? 0 : cycles_of_tile(line % rows, vectors);
  return static_cast<double>(whole) * cycles_of_tile(rows, vectors) + rest;
}

/// Returns the rows of a tile, `most` at most, with which a line takes least.
std::int64_t rows_of_line(std::int64_t line, std::int64_t most, std::int64_t vectors) {
  std::int64_t best = 1;
  for (std::int64_t rows = 2; rows <= std::min(line, most); ++rows)
    if (cycles_of_line(line, rows, vectors) <= cycles_of_line(line, best, vectors)) best = rows;
  return best;
}

/// Returns whether the contraction is one of several elements of a batch.
bool has_batch(const Stage& stage) {
  return std::ranges::any_of(stage.axes, [&](const Axis& axis) {
    return std::ranges::find(stage.contraction->batch, axis.id) != stage.contraction->batch.end() &&
           !axis.extent.is(1);
  });
}

std::int64_t size_of(const std::vector<const Axis*>& axes) {
  std::int64_t size = 1;
  for (const Axis* axis : axes) size *= *axis->extent.constant();
  return size;
}

/// Returns the longest strip whose lines fit in `strip_bytes`, and its lines; a length of 0 if there is none.
/// The lines refer to the axes of `strips`, which becomes the contraction with these strips.
std::pair<std::int64_t, std::optional<InputLines>> longest_strip(const Stage& stage, LineCopy copy,
                                                                 Stage& strips) {
  const ProductAxes axes(stage);
  const auto extent = axes.n.axes.front()->extent.constant();
  if (!extent || *extent < 1) return {0, std::nullopt};
  for (std::int64_t strip = *extent; strip > 0; --strip) {
    if (*extent % strip != 0 || (strip < *extent && axes.n.axes.size() == 1)) continue;
    strips = with_strips_apart(stage, strip);
    const ProductAxes inside(strips);
    auto lines = pixel_lines(strips, inside.n, inside.k, copy);
    if (!lines) return {0, std::nullopt};
    if (lines->size() * dlvm::info(stage.reduction->types[0]).bytes <= strip_bytes)
      return {strip, std::move(lines)};
  }
  return {0, std::nullopt};
}

/// A tile: so many pixels of a line by so many vectors of rows of the left operand.
struct TileOfPixels {
  std::int64_t rows, vectors;
};

/// Returns about how many bytes of the cache a tile fills with what it reads for a block of k: lines of the
/// panel, and those of the copy, in which neighbouring terms may share some. `lines` are those of `strips`.
std::int64_t bytes_of_block(const Stage& strips, const InputLines& lines,
                            const std::optional<std::int64_t>& k_block, const TileOfPixels& tile,
                            const CpuTarget& target) {
  const ProductAxes axes(strips);
  const ElementType type = strips.reduction->types[0];
  const std::int64_t width = target.lanes(type), element_bytes = dlvm::info(type).bytes;
  Index place = constant_index(0);
  std::int64_t stride_of_axis = 1;
  for (std::size_t i = lines.axes.size(); i-- > 0;) {
    const bool is_padded = i + 1 == lines.axes.size() && lines.line.size() == 1;
    place = place + lines.axes[i].at * Extent(stride_of_axis);
    stride_of_axis *= is_padded ? divided_up(lines.axes[i].extent, width) * width : lines.axes[i].extent;
  }
  const auto step = [&](const Axis* axis) {
    const auto known = stride(place, axis->id);
    return std::abs(known ? known->constant().value_or(target.line_bytes) : target.line_bytes);
  };
  std::int64_t reach = (tile.rows - 1) * step(lines.line.back()), apart = 1, terms = 1;
  for (std::size_t i = axes.k.axes.size(); i-- > 0;) {
    std::int64_t extent = *axes.k.axes[i]->extent.constant();
    if (i == 0 && k_block) extent = std::min(extent, *k_block / terms);
    terms *= extent;
    if (step(axes.k.axes[i]) * element_bytes < target.line_bytes)
      reach += (extent - 1) * step(axes.k.axes[i]);
    else
      apart *= extent;
  }
  return apart * (target.line_bytes + reach * element_bytes) + terms * tile.vectors * target.vector_bytes;
}

/// Returns whether the left operand is panels: as many rows as `columns` next to each other for each term.
bool is_left_panels(const Stage& stage, Buffers buffers, const ProductAxes& axes, std::int64_t columns) {
  using Kind = Index::Quotient::Kind;
  const Access* left = plain_access(stage, stage.contraction->left);
  if (left == nullptr || axes.m.axes.size() != 1) return false;
  const Index m = variable(axes.m.axes[0]->id);
  Index term = constant_index(0);
  for (const Axis* axis : axes.k.axes) term = term * axis->extent + variable(axis->id);
  return left->indices == std::vector{kernel::quotient_index({Kind::floor, m, columns}), term,
                                      kernel::quotient_index({Kind::modulo, m, columns})} &&
         buffers[left->buffer].shape.back().is(columns);
}

/// Returns whether the left operand is panels of any width.
bool has_left_panels(const Stage& stage, Buffers buffers, const ProductAxes& axes) {
  const Access* left = plain_access(stage, stage.contraction->left);
  if (left == nullptr || buffers[left->buffer].shape.empty()) return false;
  const auto width = buffers[left->buffer].shape.back().constant();
  return width && is_left_panels(stage, buffers, axes, *width);
}

}  // namespace

void choose_pixels(ProductPlan& plan, const Stage& stage, Buffers buffers, std::int64_t width,
                   const CpuTarget& target, bool frozen) {
  const ProductAxes axes(stage);
  const auto rows = axes.m.extent.constant(), terms = axes.k.extent.constant(),
             columns = axes.n.extent.constant();
  if (!rows || *rows < width || !terms || *terms < 1 || !columns || *columns < 1) return;
  if (plan.k_block && split_k(axes.k).outer.axes.size() != 1) return;
  // The least that a vector of rows costs for one term and all columns.
  const std::int64_t vectors_of_rows = divided_up(*rows, width);
  const auto line = *axes.n.axes.back()->extent.constant();
  const std::int64_t rows_of_vector = (width + line - 2) / line + 1;
  const std::int64_t vectors_of_columns = divided_up(*columns, plan.columns) * (plan.columns / width);
  double lowest =
      static_cast<double>(vectors_of_columns) *
      (static_cast<double>(divided_up(*rows, plan.rows)) * cycles_of_tile(plan.rows, plan.columns / width) *
           static_cast<double>(width) / static_cast<double>(plan.columns) +
       packing_cycles * static_cast<double>(rows_of_vector));
  const bool is_packed = frozen || has_left_panels(stage, buffers, axes);
  const bool is_far = *rows * *terms * dlvm::info(stage.reduction->types[0]).bytes > near_bytes;
  for (const LineCopy copy : {LineCopy::zeros, LineCopy::dense}) {
    Stage strips;
    const auto [strip, lines] = longest_strip(stage, copy, strips);
    if (!lines) continue;
    const ProductAxes inside(strips);
    const std::int64_t length = size_of(lines->line);
    // Each vector of rows costs this beside the products.
    double others = transposing_cycles * static_cast<double>(*columns) / static_cast<double>(*terms);
    const bool is_read_again = has_batch(stage) || length * size_of(lines->lines) < *columns;
    if (!is_packed && is_far && is_read_again)
      others +=
          far_cycles * static_cast<double>(*columns) / static_cast<double>(length * size_of(lines->lines));
    const double copied = copying_cycles * static_cast<double>(divided_up(lines->size(), width)) *
                          static_cast<double>(*columns) / static_cast<double>(*terms) /
                          static_cast<double>(length * size_of(lines->lines));
    for (std::int64_t vectors = 1; vectors <= std::min(max_vectors, vectors_of_rows); ++vectors) {
      const std::int64_t most = (target.vector_registers - 1 - vectors) / vectors;
      const std::int64_t tile = rows_of_line(length, most, vectors);
      const std::int64_t block = bytes_of_block(strips, *lines, plan.k_block, {tile, vectors}, target);
      const double misses = block > target.first_cache_bytes ? miss_cycles : 0;
      const double line_cycles =
          cycles_of_line(length, tile, vectors) + misses * static_cast<double>(divided_up(length, tile));
      const double products = line_cycles * static_cast<double>(*columns) / static_cast<double>(length);
      const double cost = products * static_cast<double>(divided_up(vectors_of_rows, vectors)) +
                          others * static_cast<double>(vectors_of_rows) + copied;
      if (cost >= lowest) continue;
      lowest = cost;
      plan.form = ProductForm::pixels;
      plan.rows = tile;
      plan.columns = vectors * width;
      plan.line_copy = copy;
      plan.strip = strip;
    }
  }
  if (plan.form != ProductForm::pixels) return;
  plan.last_columns = 0;
  plan.right_rows = plan.right_kept = false;
  plan.left_panels = is_left_panels(stage, buffers, axes, plan.columns);
  plan.fetches_ahead = is_far;
}

}  // namespace codegen::schedule::cpu
