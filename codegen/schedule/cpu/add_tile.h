#pragma once

#include "codegen/schedule/common/contraction_builder.h"
#include "codegen/schedule/cpu/choose.h"

namespace codegen::schedule::cpu {

/// Returns loops that add the sums of `tile`, which has the plan's rows and columns, to the elements of
/// `total`, to whose indices they append the row and the column. They run over vectors of `lanes` columns.
Body add_tile(ContractionBuilder& builder, BufferId tile, const ProductPlan& plan, std::int64_t lanes,
              Access total);

}  // namespace codegen::schedule::cpu
