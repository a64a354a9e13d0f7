#pragma once

#include "codegen/schedule/cpu/choose.h"

namespace codegen::schedule::cpu {

/// Returns whether the left operand is panels: as many rows as `columns` next to each other for each term.
bool is_left_panels(const kernel::Stage& stage, Buffers buffers, const ProductAxes& axes,
                    std::int64_t columns);

/// Lets the plan of a product over rows of columns make rows of the product the lanes, and columns that are
/// evenly apart the rows of a tile, if the rows fill vectors: then no term of the right operand is packed,
/// and tiles fit the lines of the result. The stage is one of `with_batch_apart`; `width` is the number of
/// lanes.
void choose_pixels(ProductPlan& plan, const kernel::Stage& stage, Buffers buffers, std::int64_t width,
                   const CpuTarget& target);

}  // namespace codegen::schedule::cpu
