#pragma once

#include <span>

#include "dlvm/ir/function.h"

namespace dlvm {

/// Unifies each pattern with the actual type at its place (see `unify` on types). The dimensions that stand
/// alone as an extent of one of the patterns are bound first, so that `<N + 1 x f32>` may stand before
/// `<N x f32>`. Returns how many types at the front agree: all, or those before the first that does not.
std::size_t unify_lists(std::span<const Type> patterns, std::span<const Type> actuals,
                        Extent::Substitution& substitution);
/// Does so with the types of values.
std::size_t unify_lists(std::span<const Type> patterns, std::span<Value* const> values,
                        Extent::Substitution& substitution);

}  // namespace dlvm
