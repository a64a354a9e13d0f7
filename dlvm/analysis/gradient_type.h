#pragma once

#include <optional>
#include <string>

#include "dlvm/ir/function.h"

namespace dlvm {

/// The arguments that a gradient declaration differentiates by: those it names, else all whose type is
/// floating throughout (integers have no derivative).
Integers differentiated_arguments(const GradientDeclaration& declaration);

/// The results of a function: the elements of the tuple that it returns, or the one value.
std::vector<Type> results_of(const Type& function);

/// The type that a gradient declaration gives its function: the arguments of `of`, then the cotangent where
/// it is seedable; a tuple of the derivatives in `wrt` order, then the kept results. Nothing, and a reason,
/// where the declaration is not legal: no such argument or result, one named twice, one that is not floating.
std::optional<Type> gradient_type(const GradientDeclaration& declaration, std::string& why);

/// Whether `declared` is `expected` up to the names of dimensions (an erased one may be any).
bool declares(const Type& declared, const Type& expected);

}  // namespace dlvm
