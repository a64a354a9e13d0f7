#pragma once

#include "codegen/schedule/gpu/lowering.h"

namespace codegen::schedule::gpu {

/// The part of an operand that is in shared memory while a block multiplies: `shape` is [k, other], or
/// [other, k] if `k_minor`.
struct PanelPlan {
  Shape shape;
  Layout layout;
  bool k_minor = false;
  bool is_along_k = false;  ///< neighbours along k are next to each other in memory
};

/// The tiling of a product: each block computes a tile of `rows` x `columns` elements, which `down` x
/// `across` threads (on tensor cores: warps) share. The panels advance along k by `depth`.
struct ProductPlan {
  bool on_tensor_cores = false;
  std::int64_t rows = 0, columns = 0, down = 0, across = 0;
  std::int64_t threads = 0;  ///< the threads of a block
  kernel::ScalarId left = 0, right = 0;
  ElementType element = ElementType::f32;  ///< the element type of the panels
  PanelPlan left_panel, right_panel;
  std::int64_t depth = 0;  ///< the extent of a panel along k, in elements
  /// The stages of the panels' multistage buffers, which asynchronous copies fill ahead.
  std::int64_t stages = 1;
  /// The number of parts into which the sum over k is split; a second grid adds more than one part
  /// (split_product.h).
  std::int64_t parts = 1;

  std::int64_t tile_rows() const { return rows / down; }          ///< the rows of a thread or warp
  std::int64_t tile_columns() const { return columns / across; }  ///< its columns
};

/// The bytes of a panel along k.
inline constexpr std::int64_t panel_bytes = 64;
/// Returns the panel of an operand on tensor cores, `depth` along k times `size`. It is contiguous along the
/// axis that the operand is in memory, and swizzled.
PanelPlan tensor_panel(std::int64_t depth, std::int64_t size, ElementType element, bool is_along_k,
                       const GpuTarget& target);

/// Returns whether the stage is computed as products of tiles. The answer depends on constant extents alone.
bool is_product(const kernel::Stage& stage);

/// Returns whether the product is computed on tensor cores if the target has them: products of f16, bf16 and
/// f32 are, unless constant extents say that a tile does not pay.
bool is_for_tensor_cores(const kernel::Stage& stage, const GpuTarget& target);

/// Returns the plan for a product (`is_product`) whose accesses are to `buffers`, in that variant.
ProductPlan choose_product(const kernel::Stage& stage, Buffers buffers, const GpuTarget& target,
                           const VariantPlan& variant);

/// Returns the number of parts into which the product's sum is split in that variant.
std::int64_t part_count(const kernel::Stage& stage, const VariantPlan& variant);

/// Returns the guard under which a variant for few rows pays, or nothing if the number of rows is constant.
std::optional<Guard> small_m_guard(const kernel::Stage& stage, const GpuTarget& target);

/// Returns the guard under which a product that is split into several parts must not be, because it has few
/// summed points; nothing if that does not depend on dimensions.
std::optional<Guard> whole_product_guard(const kernel::Stage& stage);

/// The rows of a tile in the variant for few rows. Up to this many rows, it gives the same bits in less time.
inline constexpr std::int64_t thread_small_m_rows = 8, tensor_core_small_m_rows = 16;
/// Contractions with fewer constant rows, columns or summed points are computed as reductions by single
/// threads.
inline constexpr std::int64_t min_product_rows = 4, min_product_depth = 8;
/// The largest number of summed points that is one chain of multiply-adds.
inline constexpr std::int64_t whole_chain = 512;
/// The largest number of parts of a sum.
inline constexpr std::int64_t max_parts = 32;

}  // namespace codegen::schedule::gpu
