#pragma once

#include "dlvm/differentiate/rules.h"

namespace dlvm::reductions {

/// Returns whether the function can be applied to tensors element by element: it is straight-line and
/// consists of elementwise instructions and calls of such functions.
bool is_elementwise(const Function& function);

/// Builds combinator(x, y), element by element.
Value* combine(Builder& b, const Combinator& by, Value* x, Value* y);

/// The partial derivatives of combinator(x, y) by x and y, element by element, of the type of `y`.
struct CombinatorPartials {
  Value *by_x, *by_y;
};
CombinatorPartials combinator_partials(Builder& b, const Combinator& by, Value* x, Value* y);

}  // namespace dlvm::reductions
