#pragma once

#include <optional>

#include "codegen/schedule/common/lowering.h"

namespace codegen::schedule::gpu {

/// A reduction whose first component is a maximum, and whose others are sums weighted by functions of it: the
/// sums of two states are left * of_left + right * of_right, where the state with the maximum has the
/// weight 1. So the points of a tile can be added up with weights for their maximum, and what was added up
/// before is multiplied by one weight.
struct WeightedSums {
  kernel::ScalarId of_left = 0, of_right = 0;  ///< scalars of `combine`, which depend on both maxima
};

/// Returns the weights of the reduction if it is of this form.
std::optional<WeightedSums> weighted_sums(const kernel::Reduction& reduction);

/// Appends the computation of the scalar of `combine` to `body`, given the first components of both states,
/// and returns its value.
ValueId emit_weight(Lowering& lowering, const kernel::Reduction& reduction, kernel::ScalarId weight,
                    ValueId left, ValueId right, Body& body);

}  // namespace codegen::schedule::gpu
