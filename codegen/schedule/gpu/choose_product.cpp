#include "codegen/schedule/gpu/choose_product.h"

#include <algorithm>
#include <array>
#include <bit>

#include "codegen/kernel/ir/contraction.h"
#include "codegen/schedule/common/axis_group.h"
#include "codegen/schedule/gpu/expand_pipelines.h"
#include "codegen/schedule/gpu/panel.h"
#include "codegen/schedule/gpu/small_product.h"
#include "codegen/schedule/gpu/split_product.h"

namespace codegen::schedule::gpu {
namespace {

using kernel::Axis;
using kernel::AxisId;
using kernel::AxisKind;
using kernel::ScalarId;
using kernel::Stage;

constexpr std::int64_t min_element_bytes = 4;  ///< that an element of a thread's panel counts as
constexpr std::int64_t max_stages = 4;         ///< of a multistage buffer

/// Points of a result that are a block's, about, and blocks that keep a GPU busy.
constexpr std::int64_t block_points = 128 * 64, enough_blocks = 256;

AxisGroup group(const Stage& stage, const std::vector<AxisId>& ids) {
  AxisGroup result;
  for (const Axis& axis : stage.axes)
    if (std::find(ids.begin(), ids.end(), axis.id) != ids.end()) result.add(axis);
  return result;
}

std::int64_t choose_parts(const Stage& stage) {
  const auto results = axes_of(stage, AxisKind::parallel).extent.constant(),
             length = axes_of(stage, AxisKind::reduced).extent.constant();
  if (!results || *results == 0 || (length && (*length <= whole_chain || is_small_product(stage)))) return 1;
  const std::int64_t parts =
      std::min(max_parts, enough_blocks / ((*results + block_points - 1) / block_points));
  return std::clamp<std::int64_t>(parts, 1, length ? (*length + part_unit - 1) / part_unit : max_parts);
}

/// A block's tile, and the threads or warps that share it, down and across.
struct Sizes {
  std::int64_t rows, columns, down, across;
};
/// down x across threads with a register tile each.
Sizes of_threads(std::int64_t down, std::int64_t across, std::int64_t tile_rows, std::int64_t tile_columns) {
  return {down * tile_rows, across * tile_columns, down, across};
}

/// A thread's columns take 16 bytes at most, so that what neighbours read is in different banks.
Sizes thread_sizes(const Extent& n, std::int64_t bytes, bool few, const GpuTarget& target) {
  const std::int64_t columns = n.constant().value_or(64);
  if (bytes == 8) {
    const std::int64_t across = columns <= 16 ? 8 : 16;
    if (few) return of_threads(thread_small_m_rows, across, 1, 2);
    return of_threads(target.block_threads / across, across, columns <= 16 ? 4 : 8, 2);
  }
  if (few) return of_threads(thread_small_m_rows, columns <= 16 ? 4 : 8, 1, 4);
  const std::int64_t across = columns <= 16 ? 4 : columns <= 32 ? 8 : 16;
  return of_threads(target.block_threads / across, across, columns <= 32 ? 4 : 8, 4);
}

/// The first tile that is as large as a constant extent of the result, else the last; of few rows a narrow
/// one, so that there are more of them. At most 64 sums are a thread's: with the fragments that is what the
/// registers of a block's threads hold.
Sizes tensor_sizes(const Extent& m, const Extent& n, std::int64_t element_bytes, bool few) {
  constexpr std::array low_tiles{Sizes{32, 128, 1, 8}, Sizes{64, 128, 2, 4}};
  constexpr std::array narrow_tiles{Sizes{128, 16, 8, 1}, Sizes{128, 32, 4, 2}, Sizes{128, 64, 4, 2}};
  constexpr auto is_of_block = [](const Sizes& one) {
    return one.down * one.across * GpuTarget{}.warp_threads == GpuTarget{}.block_threads;
  };
  static_assert(std::ranges::all_of(low_tiles, is_of_block) &&
                std::ranges::all_of(narrow_tiles, is_of_block));
  const std::int64_t rows = m.constant().value_or(128), columns = n.constant().value_or(128);
  if (few) {
    const std::int64_t across = columns <= 16 ? 1 : columns <= 32 ? 2 : 4;
    return {tensor_core_small_m_rows, 16 * across, 1, across};
  }
  for (const Sizes& one : low_tiles)
    if (rows <= one.rows && columns >= 128) return one;
  for (const Sizes& one : narrow_tiles)
    if (columns <= one.columns) return one;
  // Twice as many fragments stand for a float32 number.
  return element_bytes == 2 ? Sizes{128, 128, 2, 4} : Sizes{128, 64, 4, 2};
}

// ----------------------------------------------------------------------------------------------- panels

std::uint8_t log2(std::int64_t n) {
  return static_cast<std::uint8_t>(std::bit_width(static_cast<std::uint64_t>(n)) - 1);
}

/// Returns the swizzle of rows of `length` elements: no two of 8 rows of 16 bytes at one place share banks.
Swizzle swizzle_of_rows(std::int64_t length, std::int64_t bytes, const GpuTarget& target) {
  const std::int64_t chunk = target.access_bytes / bytes,
                     line = target.warp_threads * target.bank_bytes / bytes;
  return {log2(std::min(length, line) / chunk), log2(chunk),
          static_cast<std::uint8_t>(log2(std::max(length, line)) - log2(chunk))};
}
/// Returns the swizzle of words, of which a warp reads 8 of a row and of the three rows after it.
Swizzle swizzle_of_words(std::int64_t length, const GpuTarget& target) {
  const std::int64_t banks = target.warp_threads;
  return {log2(std::min(length, banks) / 8), 3, static_cast<std::uint8_t>(log2(std::max(length, banks)) - 3)};
}

/// Contiguous along m or n. Where memory is contiguous along k, rows are padded, so that the elements that
/// neighbouring threads write are in different banks.
PanelPlan thread_panel(std::int64_t depth, std::int64_t size, ElementType element, bool is_along_k,
                       const GpuTarget& target) {
  PanelPlan panel{{depth, size}, dense_layout({depth, size}), false, is_along_k};
  if (is_along_k)
    panel.layout.strides[0] = size + target.access_bytes / std::int64_t{dlvm::info(element).bytes};
  return panel;
}

std::int64_t stage_bytes(const PanelPlan& panel, ElementType element) {
  const Buffer buffer{{}, element, panel.shape, Space::shared, panel.layout, false, std::nullopt};
  return stage_elements(buffer).constant().value_or(0) * std::int64_t{dlvm::info(element).bytes};
}

/// As many stages as fit. On tensor cores two blocks share a multiprocessor.
std::int64_t choose_stages(const ProductPlan& plan, const GpuTarget& target) {
  if (!target.asynchronous_copies) return 1;
  const std::int64_t each =
      stage_bytes(plan.left_panel, plan.element) + stage_bytes(plan.right_panel, plan.element);
  const std::int64_t bytes = plan.on_tensor_cores ? target.shared_bytes / 2 : target.default_shared_bytes;
  return std::min(max_stages, bytes / each);
}

// --------------------------------------------------------------------------------------------- operands

/// Both operands have one type.
void choose_operands(ProductPlan& plan, const Stage& stage) {
  const kernel::Contraction& c = *stage.contraction;
  plan.left = c.left, plan.right = c.right;
  plan.element = stage.reduction->types[0];
  if (!plan.on_tensor_cores) return;
  const ScalarId left = source_of(stage, c.left), right = source_of(stage, c.right);
  if (stage.body[left].type == stage.body[right].type) plan.left = left, plan.right = right;
  plan.element = stage.body[plan.left].type;
}

bool is_small_m(const Extent& m, std::int64_t rows, const VariantPlan& variant) {
  const auto constant = m.constant();
  return constant ? *constant <= rows : variant.small_m;
}

}  // namespace

PanelPlan tensor_panel(std::int64_t depth, std::int64_t size, ElementType element, bool is_along_k,
                       const GpuTarget& target) {
  const std::int64_t bytes = dlvm::info(element).bytes;
  PanelPlan panel{is_along_k ? Shape{size, depth} : Shape{depth, size}, {}, is_along_k, is_along_k};
  panel.layout = dense_layout(panel.shape);
  panel.layout.swizzle = is_along_k || bytes == 2 ? swizzle_of_rows(is_along_k ? depth : size, bytes, target)
                                                  : swizzle_of_words(size, target);
  return panel;
}

bool is_product(const Stage& stage) {
  if (!stage.contraction || !stage.reduction || runs_in_order(stage)) return false;
  const kernel::Contraction& c = *stage.contraction;
  const auto own = [&](const std::vector<AxisId>& ids) {
    return !ids.empty() && std::all_of(ids.begin(), ids.end(), [&](AxisId id) {
      return std::any_of(stage.axes.begin(), stage.axes.end(), [&](const Axis& a) { return a.id == id; });
    });
  };
  if (!own(c.m) || !own(c.n) || !own(c.k)) return false;
  const auto below = [&](const std::vector<AxisId>& ids, std::int64_t limit) {
    const auto constant = group(stage, ids).extent.constant();
    return constant && *constant < limit;
  };
  if (below(c.k, min_product_depth) || below(c.m, min_product_rows) || below(c.n, min_product_rows))
    return false;
  const ElementType type = stage.reduction->types[0];
  return stage.body[c.left].type == type && stage.body[c.right].type == type;
}

bool is_for_tensor_cores(const Stage& stage, const GpuTarget& target) {
  return target.matrix_instructions && is_product(stage) && !is_small_product(stage) &&
         stage.reduction->types[0] == ElementType::f32;
}

ProductPlan choose_product(const Stage& stage, Buffers buffers, const GpuTarget& target,
                           const VariantPlan& variant) {
  const kernel::Contraction& c = *stage.contraction;
  const AxisGroup m = group(stage, c.m), n = group(stage, c.n), k = group(stage, c.k);
  ProductPlan plan;
  plan.on_tensor_cores = is_for_tensor_cores(stage, target);
  choose_operands(plan, stage);
  const std::int64_t bytes = dlvm::info(plan.element).bytes;
  const bool few =
      is_small_m(m.extent, plan.on_tensor_cores ? tensor_core_small_m_rows : thread_small_m_rows, variant);
  const Sizes sizes = plan.on_tensor_cores ? tensor_sizes(m.extent, n.extent, bytes, few)
                                           : thread_sizes(n.extent, bytes, few, target);
  plan.rows = sizes.rows, plan.columns = sizes.columns, plan.down = sizes.down, plan.across = sizes.across;
  plan.threads = plan.down * plan.across * (plan.on_tensor_cores ? target.warp_threads : 1);
  plan.depth = panel_bytes / (plan.on_tensor_cores ? bytes : std::max(bytes, min_element_bytes));
  const auto panel = [&](ScalarId operand, std::int64_t size) {
    const bool is_along_k = is_contiguous(stage, buffers, operand, k);
    return plan.on_tensor_cores ? tensor_panel(plan.depth, size, plan.element, is_along_k, target)
                                : thread_panel(plan.depth, size, plan.element, is_along_k, target);
  };
  plan.left_panel = panel(plan.left, plan.rows);
  plan.right_panel = panel(plan.right, plan.columns);
  plan.stages = choose_stages(plan, target);
  plan.parts = part_count(stage, variant);
  return plan;
}

std::int64_t part_count(const Stage& stage, const VariantPlan& variant) {
  return variant.whole_products && whole_product_guard(stage) ? 1 : choose_parts(stage);
}

std::optional<Guard> small_m_guard(const Stage& stage, const GpuTarget& target) {
  const Extent rows = group(stage, stage.contraction->m).extent;
  if (rows.constant()) return std::nullopt;
  return Guard{rows, 0,
               1 + (is_for_tensor_cores(stage, target) ? tensor_core_small_m_rows : thread_small_m_rows)};
}

std::optional<Guard> whole_product_guard(const Stage& stage) {
  const Extent summed = axes_of(stage, AxisKind::reduced).extent;
  if (choose_parts(stage) == 1 || summed.constant()) return std::nullopt;
  return Guard{summed, 0, whole_chain + 1};
}

}  // namespace codegen::schedule::gpu
