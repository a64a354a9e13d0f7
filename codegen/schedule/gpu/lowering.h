#pragma once

#include "codegen/schedule/common/lowering.h"
#include "codegen/schedule/gpu/target.h"

namespace codegen::schedule::gpu {

/// The bounds that a variant's guards put on rows whose length is a named dimension's (dynamic_rows.h).
struct DynamicRowLength {
  Extent extent;
  std::int64_t lower_bound = 0;
  std::optional<std::int64_t> upper_bound;
};

/// The variant that is made: which dimensions it is for, and what that decides. Everything else follows from
/// the kernel, so that each element is reduced in the same order in all variants.
struct VariantPlan {
  std::vector<Guard> guards = {};
  std::optional<DynamicRowLength> row = std::nullopt;
  bool spreads_long_rows = false;  ///< there are few rows that are long (long_rows.h)
  bool small_m = false;            ///< all products whose rows are a named dimension have few of them
  bool whole_products = false;     ///< all products that are split for many summed points have few of them
};

/// The lowering of one variant of one kernel for a GPU.
struct GpuLowering : Lowering {
  const GpuTarget& target;
  VariantPlan variant = {};
  bool tf32 = false;  ///< float32 products in one tf32 term
};

}  // namespace codegen::schedule::gpu
