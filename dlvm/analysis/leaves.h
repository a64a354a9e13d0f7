#pragma once

#include <cstddef>
#include <vector>

#include "dlvm/ir/type.h"

namespace dlvm {

/// Returns the tensors inside a type, in order: a tensor is its own leaf, and a tuple, struct or array has
/// the leaves of its components.
std::vector<Type> leaves(const Type& type);
std::size_t leaf_count(const Type& type);
/// Returns the index of the first leaf of element `position` among the leaves of an aggregate with these
/// components.
std::size_t leaf_offset(const std::vector<Type>& elements, std::size_t position);
/// Returns the index of the first leaf of each type among the leaves of all, followed by the number of all
/// leaves.
std::vector<std::size_t> leaf_offsets(const std::vector<Type>& types);
bool has_floating_leaf(const Type& type);
/// Returns whether values of the type have a derivative: the type has leaves, and all are floating.
bool is_differentiable(const Type& type);

}  // namespace dlvm
