#pragma once

#include "codegen/schedule/cpu/choose.h"

namespace codegen::schedule::cpu {

/// Lets the plan of a product over rows of columns make rows of the product the lanes, and columns that are
/// evenly apart the rows of a tile, if the rows fill vectors: then no term of the right operand is packed,
/// and tiles fit the lines of the result. The stage is one of `with_batch_apart`; `width` is the number of
/// lanes.
void choose_pixels(ProductPlan& plan, const kernel::Stage& stage, Buffers buffers, std::int64_t width,
                   const CpuTarget& target, bool frozen);

}  // namespace codegen::schedule::cpu
