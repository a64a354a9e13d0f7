#pragma once

#include <optional>
#include <string>

#include "dlvm/ir/function.h"

namespace dlvm {

/// Returns the arguments by which a gradient declaration differentiates: those that it names, or else all
/// whose type is floating throughout (integers have no derivative).
Integers differentiated_arguments(const GradientDeclaration& declaration);

/// Returns the types of a function's results: the elements of the tuple that it returns, or the one value.
std::vector<Type> results_of(const Type& function);

/// Returns the type of the function that a gradient declaration declares. Its parameters are those of `of`
/// and, if the declaration is seedable, the cotangent; its result is a tuple of the derivatives in the order
/// of `wrt` and the kept results. In forward mode, the parameters of `of` are followed by the tangents in the
/// order of `wrt`, and the result is a tuple of a tangent and the kept results. Returns nothing, and the
/// reason in `why`, if the declaration is not legal: an argument or result does not exist, is named twice, or
/// is not floating.
std::optional<Type> gradient_type(const GradientDeclaration& declaration, std::string& why);

/// Returns whether `declared` equals `expected` up to the names of dimensions; an erased dimension equals any
/// other.
bool declares(const Type& declared, const Type& expected);

/// Returns the leaf of the result of the differentiated function on which this leaf of the result of a
/// declared derivative depends at most: the result that is differentiated, or one that is kept.
std::size_t differentiated_leaf(const Function& declared, std::size_t leaf);

}  // namespace dlvm
