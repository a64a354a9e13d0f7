#pragma once

#include <cstddef>
#include <vector>

#include "dlvm/ir/type.h"

namespace dlvm {

/// The tensors inside a type, in order: a tensor is its own leaf, a tuple has the leaves of its elements.
std::vector<Type> leaves(const Type& type);
std::size_t leaf_count(const Type& type);
/// The first leaf of element `position` among the leaves of a tuple.
std::size_t leaf_offset(const std::vector<Type>& elements, std::size_t position);
/// That of each of several types put side by side, and at the end of all.
std::vector<std::size_t> leaf_offsets(const std::vector<Type>& types);
bool has_floating_leaf(const Type& type);
/// Whether there is a derivative by a value of the type: it has leaves, and all are floating.
bool is_differentiable(const Type& type);

}  // namespace dlvm
