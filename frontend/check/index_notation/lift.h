// The third step of index notation: values of one element to tensors whose axes are indices.
#pragma once

#include <vector>

#include "frontend/check/index_notation/equation.h"

namespace frontend::check {

/// Returns the tensor of the elements, whose axes are the indices in the order of `axes`.
Node* lift(BodyContext& context, const Equation& equation, Node* element, const std::vector<IndexId>& axes,
           Location location);

}  // namespace frontend::check
