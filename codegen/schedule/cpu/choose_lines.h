#pragma once

#include "codegen/schedule/cpu/choose.h"

namespace codegen::schedule::cpu {

/// Lets the plan read the right operand in place, if the rows are so few that packing each of its terms costs
/// more than the lanes that lines leave empty. `width` is the number of lanes.
void choose_lines(ProductPlan& plan, const kernel::Stage& stage, const ProductAxes& axes, std::int64_t width,
                  const CpuTarget& target);

/// Lets the plan make neighbours along k the lanes, or the rows, if packing each term costs more than adding
/// the sums of lanes, or transposing the left operand.
void choose_lanes(ProductPlan& plan, const kernel::Stage& stage, Buffers buffers, const ProductAxes& axes,
                  std::int64_t width, const CpuTarget& target);

}  // namespace codegen::schedule::cpu
