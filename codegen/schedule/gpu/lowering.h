#pragma once

#include "codegen/schedule/common/lowering.h"
#include "codegen/schedule/gpu/target.h"

namespace codegen::schedule::gpu {

/// The bounds that a variant's guards put on the length of rows, if it is a named dimension (dynamic_rows.h).
struct DynamicRowLength {
  Extent extent;
  std::int64_t lower_bound = 0;
  std::optional<std::int64_t> upper_bound;
};

/// The variant that is lowered: the dimensions for which it is, and the decisions that depend on them.
/// Everything else follows from the kernel, so that each element is reduced in the same order in all
/// variants.
struct VariantPlan {
  std::vector<Guard> guards = {};
  std::optional<DynamicRowLength> row = std::nullopt;
  bool spreads_long_rows = false;  ///< there are few rows that are long (long_rows.h)
  bool small_m = false;            ///< the products whose number of rows is a named dimension have few rows
  bool whole_products = false;     ///< the products that are split for many summed points have few of them
};

/// The state of one variant's lowering for a GPU.
struct GpuLowering : Lowering {
  const GpuTarget& target;
  VariantPlan variant = {};
  bool tf32 = false;  ///< float32 products use one tf32 term
};

}  // namespace codegen::schedule::gpu
