#pragma once

#include "codegen/schedule/gpu/lowering.h"

namespace codegen::schedule::gpu {

/// An operand's part in shared memory while a block multiplies: `shape` is [k, other], or [other, k] where
/// `k_minor`.
struct PanelPlan {
  Shape shape;
  Layout layout;
  bool k_minor = false;
  bool is_along_k = false;  ///< neighbours along k are next to each other in memory
};

/// How a grid of blocks computes a product: a block computes a tile of rows x columns, which down x across
/// threads (on tensor cores: warps) share; the panels go along k in steps of `depth`.
struct ProductPlan {
  bool on_tensor_cores = false;
  std::int64_t rows = 0, columns = 0, down = 0, across = 0;
  std::int64_t threads = 0;  ///< of a block
  kernel::ScalarId left = 0, right = 0;
  ElementType element = ElementType::f32;  ///< of the panels
  PanelPlan left_panel, right_panel;
  std::int64_t depth = 0;   ///< of a panel, in elements
  std::int64_t stages = 1;  ///< multistage buffers of the panels, filled ahead by asynchronous copies
  std::int64_t parts =
      1;  ///< of the sum over k: with more than one, a second grid adds them (split_product.h)

  std::int64_t tile_rows() const { return rows / down; }          ///< of a thread or warp
  std::int64_t tile_columns() const { return columns / across; }  ///< likewise
};

/// Whether the stage is computed as products of tiles. From its constant extents alone.
bool is_product(const kernel::Stage& stage);

/// Whether a product is computed on tensor cores, where the target has these: of f16, bf16 and f32, unless
/// constant extents say that a tile is not worth it.
bool is_for_tensor_cores(const kernel::Stage& stage, const GpuTarget& target);

/// Returns the plan for a product (`is_product`) whose accesses are to `buffers`, in that variant.
ProductPlan choose_product(const kernel::Stage& stage, Buffers buffers, const GpuTarget& target,
                           const VariantPlan& variant);

/// Returns into how many parts the product's sum is split in that variant.
std::int64_t part_count(const kernel::Stage& stage, const VariantPlan& variant);

/// Returns the guard under which a variant for few rows is worth it; nothing where their number is known.
std::optional<Guard> small_m_guard(const kernel::Stage& stage, const GpuTarget& target);

/// Returns the guard under which a product that has several parts must not have them, because it has few
/// summed points; nothing where that does not depend on dimensions.
std::optional<Guard> whole_product_guard(const kernel::Stage& stage);

/// Rows of a tile for few of them: up to so many it gives the same bits sooner.
inline constexpr std::int64_t thread_small_m_rows = 8, tensor_core_small_m_rows = 16;
/// Products with fewer constant rows, columns or summed points are reductions of threads' own.
inline constexpr std::int64_t min_product_rows = 4, min_product_depth = 8;
/// A sum over so many points is one chain of multiply-adds.
inline constexpr std::int64_t whole_chain = 512;
/// Parts of a sum at most.
inline constexpr std::int64_t max_parts = 32;

}  // namespace codegen::schedule::gpu
