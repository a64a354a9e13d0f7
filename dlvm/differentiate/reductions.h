#pragma once

#include "dlvm/differentiate/rules.h"

namespace dlvm::reductions {

inline bool is_sum(const Combinator& by) { return by.is(Opcode::add); }
inline bool is_extremum(const Combinator& by) { return by.is(Opcode::max) || by.is(Opcode::min); }
/// Returns whether the value is a literal that changes nothing: combinator(value, x) = x.
bool is_identity(const Combinator& by, const Value* value);

/// Builds combinator(x, y), element by element.
Value* combine(Builder& b, const Combinator& by, Value* x, Value* y);

/// The partial derivatives of combinator(x, y) by x and y, element by element, of the type of `y`.
struct CombinatorPartials {
  Value *by_x, *by_y;
};
CombinatorPartials combinator_partials(Builder& b, const Combinator& by, Value* x, Value* y);

}  // namespace dlvm::reductions
