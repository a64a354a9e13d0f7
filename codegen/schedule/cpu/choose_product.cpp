// When a contraction is computed as products of tiles, and with which sizes.
#include <algorithm>

#include "codegen/kernel/ir/walk.h"
#include "codegen/schedule/common/contraction_builder.h"
#include "codegen/schedule/cpu/choose.h"
#include "codegen/schedule/cpu/choose_lines.h"
#include "codegen/schedule/cpu/choose_pixels.h"
#include "codegen/schedule/cpu/tile_sizes.h"

namespace codegen::schedule::cpu {
namespace {

using kernel::Axis;
using kernel::AxisId;
using kernel::Stage;

/// The columns that share one packing of a block of the left operand, where k has blocks.
constexpr std::int64_t panel_columns = 1024;
/// The columns that do so at most where the columns of a convolution are lines of pixels.
constexpr std::int64_t most_line_columns = 512;
/// Rows, about and at most, for which a block of the right operand is packed once, where k has blocks.
constexpr std::int64_t group_rows = 1024;
/// The register tiles of a block: down, and also across where k is one block. With AVX2, 8 x 6 packed rows of
/// 256 terms are 48 KiB in float32, and stay in the L2 cache while one panel of columns after the other
/// passes.
constexpr std::int64_t tiles_of_block = 8;

/// Returns the operand's access where it is just an element of a buffer of the type of the sums.
const Access* plain(const Stage& stage, Buffers buffers, kernel::ScalarId operand) {
  const Access* access = plain_access(stage, operand);
  const bool is_same = access != nullptr && buffers[access->buffer].element == stage.reduction->types[0];
  return is_same ? access : nullptr;
}

/// Returns whether the right operand's rows can be read from where they are.
bool is_readable(const Stage& stage, Buffers buffers, const ProductAxes& axes) {
  const Access* right = plain(stage, buffers, stage.contraction->right);
  if (right == nullptr || axes.k.axes.size() != 1) return false;
  const auto across = step_along(buffers, *right, axes.n);
  return across && across->is(1) && step_along(buffers, *right, axes.k);
}

/// Returns whether the terms of each column are next to each other in the right operand's memory.
bool is_transposed(const Stage& stage, Buffers buffers, const ProductAxes& axes) {
  const Access* right = plain(stage, buffers, stage.contraction->right);
  if (right == nullptr || axes.k.axes.size() != 1) return false;
  const auto along = step_along(buffers, *right, axes.k);
  return along && along->is(1) && step_along(buffers, *right, axes.n);
}

/// Returns the columns of a tile whose right operand is packed: two vectors, or one if that has all columns.
std::int64_t columns_of_tile(const Stage& stage, const ProductAxes& axes, const CpuTarget& target) {
  const std::int64_t width = target.lanes(stage.reduction->types[0]);
  const auto columns = axes.n.extent.constant();
  return columns && *columns <= width ? width : 2 * width;
}

/// Returns whether the right operand is panels of that many columns.
bool is_panels(const Stage& stage, Buffers buffers, const ProductAxes& axes, std::int64_t columns) {
  using Kind = Index::Quotient::Kind;
  const Access* right = plain(stage, buffers, stage.contraction->right);
  if (right == nullptr || axes.n.axes.size() != 1 || axes.k.axes.size() != 1) return false;
  const Index n = variable(axes.n.axes[0]->id);
  return right->indices == std::vector{kernel::quotient_index({Kind::floor, n, columns}),
                                       variable(axes.k.axes[0]->id),
                                       kernel::quotient_index({Kind::modulo, n, columns})} &&
         buffers[right->buffer].shape.back().is(columns);
}

/// Returns whether the matrix of a product with one row is contiguous along its columns, so that they fill
/// vectors and a row has the bits that it has among others. Where it is contiguous along k, sums along
/// vectors cost less than packing it.
bool is_row_times_matrix(const Stage& stage, Buffers buffers, const ProductAxes& axes) {
  if (!stage.contraction->batch.empty()) return false;
  const Scalar* right = &stage.body[stage.contraction->right];
  const auto* operation = std::get_if<Scalar::Operation>(&right->definition);
  if (operation != nullptr && operation->opcode == dlvm::Opcode::dataTypeCast)
    right = &stage.body[operation->operands[0]];
  const auto* load = std::get_if<Scalar::Load>(&right->definition);
  if (load == nullptr) return true;
  const auto along = step_along(buffers, load->access, axes.k);
  return !(along && along->is(1));
}

bool is_product(const Stage& stage, Buffers buffers, const CpuTarget& target) {
  if (target.vector_bytes == 0 || !stage.contraction || !stage.reduction) return false;
  const kernel::Contraction& c = *stage.contraction;
  const auto own = [&](const std::vector<AxisId>& ids) {
    return std::all_of(ids.begin(), ids.end(), [&](AxisId id) {
      return std::any_of(stage.axes.begin(), stage.axes.end(), [&](const Axis& a) { return a.id == id; });
    });
  };
  if (!own(c.m) || !own(c.n) || !own(c.k) || c.n.empty() || c.k.empty()) return false;
  const ElementType type = stage.reduction->types[0];
  if (type != ElementType::f32 && type != ElementType::f64) return false;
  if (stage.body[c.left].type != type || stage.body[c.right].type != type || runs_in_order(stage))
    return false;
  return !c.m.empty() || is_row_times_matrix(stage, buffers, ProductAxes(stage));
}

/// Bytes, about, of the sums of a block of columns that are kept while blocks of k are added.
constexpr std::int64_t totals_bytes = 2 << 20;
/// Bytes, at most, of a block of columns that is packed for all of k. It is read for each block of rows, and
/// stays in the L2 cache beside these.
constexpr std::int64_t kept_bytes = 1 << 20;
/// The terms that a streamed product adds at a time, and the columns of a block, about and at most.
constexpr std::int64_t streamed_terms = 8, streamed_columns = 1024;
/// The shortest row of memory that is packed as one.
constexpr std::int64_t min_line = 4;

/// Returns whether the product has the form of convolutions: the columns or k are several axes, not the batch
/// alone, and nothing in the epilogue fails.
bool has_windows(const Stage& stage, Buffers buffers, const ProductAxes& axes) {
  const auto* right = std::get_if<Scalar::Load>(&stage.body[stage.contraction->right].definition);
  if (right == nullptr || has_loaded(right->access)) return false;
  if (buffers[right->access.buffer].element != stage.reduction->types[0]) return false;
  const auto* fill = std::get_if<Scalar::Literal>(&stage.body[right->fill].definition);
  if (!right->bounds.empty() && (fill == nullptr || fill->value.real(0) != 0)) return false;
  const bool is_window = !right->bounds.empty() || axes.n.axes.size() > 2 || axes.k.axes.size() > 2;
  const auto line = axes.n.axes.back()->extent.constant();
  if (!is_window || !line || *line < 2 || batch_of_columns(stage, axes) == axes.n.axes.back()) return false;
  return std::ranges::none_of(stage.epilogue, [](const Scalar& scalar) {
    return std::holds_alternative<Scalar::Check>(scalar.definition);
  });
}

/// Returns the least multiple of `tile` that has all columns; at least one tile.
std::int64_t whole_tiles(std::int64_t columns, std::int64_t tile) {
  return std::max<std::int64_t>((columns + tile - 1) / tile, 1) * tile;
}

/// Returns whether the right operand is known to be so small that it stays in the L2 cache between its uses.
bool is_small(const Stage& stage, const ProductAxes& axes) {
  const auto terms = axes.k.extent.constant(), columns = axes.n.extent.constant();
  if (!terms || !columns) return false;
  return *terms <=
         streamed_bytes / dlvm::info(stage.reduction->types[0]).bytes / std::max<std::int64_t>(*columns, 1);
}

/// Returns how many steps of an axis make a block, `most` at most: a divisor if that is not much less, so
/// that no block is shorter than the others.
std::int64_t even_steps(const Extent& extent, std::int64_t most) {
  for (std::int64_t steps = most; 2 * steps >= most; --steps)
    if (const auto all = extent.constant(); all && *all % steps == 0) return steps;
  return most;
}

/// Returns the least multiple of `tile` of which as many blocks have all of `count` as of `block`: these are
/// about equally long, so that cores can share them.
std::int64_t even_block(const std::optional<std::int64_t>& count, std::int64_t block, std::int64_t tile) {
  if (!count || *count < 1) return block;
  const std::int64_t blocks = (*count + block - 1) / block;
  return whole_tiles((*count + blocks - 1) / blocks, tile);
}

/// Returns the columns of a block for each of which `elements` elements are kept in `bytes` bytes.
std::int64_t columns_within(std::int64_t bytes, std::int64_t elements, const ProductPlan& plan,
                            const Stage& stage, const ProductAxes& axes) {
  const std::int64_t most =
      bytes / dlvm::info(stage.reduction->types[0]).bytes / std::max<std::int64_t>(elements, 1);
  const std::int64_t block =
      std::clamp(most / plan.columns * plan.columns, 2 * plan.columns, most_line_columns);
  return even_block(axes.n.extent.constant(), block, plan.columns);
}

/// Sets the columns of a block, and what of it is kept in the caches while blocks of rows and of k pass: the
/// sums of all rows, or all terms if there are fewer of these. The left operand is packed anew for each
/// block, so all terms are kept only if as many columns fit.
void choose_columns(ProductPlan& plan, const Stage& stage, const ProductAxes& axes) {
  const auto rows = axes.m.extent.constant(), terms = axes.k.extent.constant();
  plan.column_block = columns_within(totals_bytes, rows.value_or(most_line_columns), plan, stage, axes);
  if (!plan.k_block || !rows || !terms || *terms >= *rows) return;
  const std::int64_t kept = columns_within(kept_bytes, *terms, plan, stage, axes);
  if (kept < plan.column_block) return;
  plan.column_block = kept;
  plan.right_kept = true;
}

void choose_rows(ProductPlan& plan, const Stage& stage, Buffers buffers, const ProductAxes& axes,
                 std::int64_t width, const CpuTarget& target) {
  plan.form = ProductForm::rows_of_columns;
  plan.left_direct = plan.right_direct = false;
  plan.columns = 2 * width;
  const auto rows = axes.m.extent.constant();
  plan.rows = rows ? even_rows(*rows, tile_rows(target)) : tile_rows(target);
  plan.row_block = plan.rows * tiles_of_block;
  const SplitAxes split = split_k(axes.k);
  if (plan.k_block) {  // long rather than short: each reads a part of every row of the left operand
    const std::int64_t most = std::max<std::int64_t>(1, product_k_block * 5 / 4 / split.size);
    plan.k_block = even_steps(split.outer.extent, most) * split.size;
  }
  choose_columns(plan, stage, axes);
  if (const auto columns = axes.n.extent.constant(); columns && rows)
    plan.last_columns = transposed_columns(*columns % plan.columns, plan.rows, width);
  const auto& right = std::get<Scalar::Load>(stage.body[stage.contraction->right].definition);
  const auto step = stride(offset(right.access, buffers[right.access.buffer].layout), axes.n.axes.back()->id);
  const AxisGroup line = line_of_columns(stage, buffers, axes.n);
  choose_lines(plan, stage, axes, width, target);
  plan.right_rows = step && (step->is(1) || step->is(2)) && *line.extent.constant() >= min_line;
}

/// Returns the columns of a tile of few rows that reads the right operand from where it is: as many as the
/// registers hold, because they are next to each other in memory and the rows of the operand are far apart.
std::int64_t columns_of_wide_tile(std::int64_t rows, const std::optional<std::int64_t>& columns,
                                  std::int64_t width, const CpuTarget& target) {
  constexpr std::int64_t max_vectors = 8, max_vectors_of_row = 16;
  // A vector of columns needs a register for each row's sums and one for the operand, which a single row
  // reads from memory; one more has the left operand.
  const std::int64_t vectors =
      rows == 1 ? std::clamp<std::int64_t>(target.vector_registers - 2, 1, max_vectors_of_row)
                : std::clamp<std::int64_t>((target.vector_registers - 1) / (rows + 1), 1, max_vectors);
  return std::min(vectors * width, whole_tiles(columns.value_or(vectors * width), width));
}

/// Returns whether more than a tile of rows of the left operand is read, each a page or more from the next:
/// these often share a set of the first cache.
bool has_distant_rows(const ProductPlan& plan, const Stage& stage, Buffers buffers, const ProductAxes& axes) {
  constexpr std::int64_t page_bytes = 4096;
  const Access* left = plain(stage, buffers, stage.contraction->left);
  const auto step = left != nullptr ? step_along(buffers, *left, axes.m) : std::nullopt;
  const auto elements = step ? step->constant() : std::nullopt;
  return axes.m.extent.constant().value_or(small_m_rows) > plan.rows && elements &&
         *elements * dlvm::info(stage.reduction->types[0]).bytes >= page_bytes;
}

/// Makes the plan that of a streamed product. All columns read the same terms of the left operand before the
/// next terms begin.
void stream(ProductPlan& plan, const Stage& stage, Buffers buffers, const ProductAxes& axes) {
  plan.left_direct = plan.left_direct && !has_distant_rows(plan, stage, buffers, axes);
  plan.form = ProductForm::streamed;
  plan.k_step = streamed_terms;
  const auto most = [](const Extent& extent, std::int64_t limit) {
    return std::min(extent.constant().value_or(limit), limit);
  };
  plan.row_block = whole_tiles(most(axes.m.extent, small_m_rows), plan.rows);
  plan.column_block = whole_tiles(most(axes.n.extent, streamed_columns), plan.columns);
}

}  // namespace

std::optional<ProductPlan> choose_product(const Stage& stage, Buffers buffers, const CpuTarget& target,
                                          bool small_m, bool frozen) {
  if (!is_product(stage, buffers, target)) return std::nullopt;
  const ProductAxes axes(stage);
  const auto rows = axes.m.extent.constant(), columns = axes.n.extent.constant(),
             terms = axes.k.extent.constant();
  const bool few = rows ? *rows <= small_m_rows : small_m;
  const std::int64_t width = target.lanes(stage.reduction->types[0]);
  ProductPlan plan;
  if (!terms || *terms > 2 * product_k_block) plan.k_block = product_k_block;
  plan.rows = few    ? std::clamp<std::int64_t>(rows.value_or(4), 1, 4)
              : rows ? even_rows(*rows, tile_rows(target))
                     : tile_rows(target);
  const Access* left = plain(stage, buffers, stage.contraction->left);
  const auto is_constant = [](const std::optional<Extent>& e) { return e && e->constant(); };
  // Rows of a long k are far apart, often at places that share a set of the cache: they are packed.
  plan.left_direct = left != nullptr && is_constant(step_along(buffers, *left, axes.m)) &&
                     is_constant(step_along(buffers, *left, axes.k)) && (few || !plan.k_block);
  plan.right_panels = is_panels(stage, buffers, axes, columns_of_tile(stage, axes, target));
  plan.right_direct = few && !plan.right_panels && is_readable(stage, buffers, axes);
  // Few rows read the operand as fast as memory gives it, and a small one is near already.
  plan.fetches_ahead = !few && !is_small(stage, axes);
  plan.columns = plan.right_direct ? columns_of_wide_tile(plan.rows, columns, width, target)
                                   : columns_of_tile(stage, axes, target);
  plan.row_block = plan.rows * tiles_of_block;
  plan.row_group = whole_tiles(std::min(rows.value_or(few ? 1 : group_rows), group_rows), plan.row_block);
  plan.column_block = plan.columns * tiles_of_block;
  if (plan.k_block)
    plan.column_block = std::max(plan.column_block, panel_columns / plan.columns * plan.columns);
  if (columns) plan.column_block = std::min(plan.column_block, whole_tiles(*columns, plan.columns));
  // Few rows use what is packed a few times: while it is in the first cache.
  if (few && plan.left_direct && is_transposed(stage, buffers, axes) && !is_small(stage, axes))
    plan.column_block = plan.columns;
  if (plan.right_panels) return plan;
  if (!has_windows(stage, buffers, axes)) {
    if (plan.right_direct && !is_small(stage, axes)) stream(plan, stage, buffers, axes);
    return plan;
  }
  choose_rows(plan, stage, buffers, axes, width, target);
  if (plan.form == ProductForm::lines || plan.form == ProductForm::sliding_lines) return plan;
  const Stage apart = with_batch_apart(stage);
  choose_lanes(plan, apart, buffers, ProductAxes(apart), width, target);
  if (plan.form == ProductForm::rows_of_columns) choose_pixels(plan, apart, buffers, width, target, frozen);
  return plan;
}

std::optional<Extent> small_m_extent(const Stage& stage, Buffers buffers, const CpuTarget& target) {
  if (!is_product(stage, buffers, target)) return std::nullopt;
  const ProductAxes axes(stage);
  const bool differs = is_panels(stage, buffers, axes, columns_of_tile(stage, axes, target)) ||
                       is_readable(stage, buffers, axes) ||
                       (is_transposed(stage, buffers, axes) && !is_small(stage, axes));
  if (axes.m.extent.constant() || !differs) return std::nullopt;
  return axes.m.extent;
}

}  // namespace codegen::schedule::cpu
