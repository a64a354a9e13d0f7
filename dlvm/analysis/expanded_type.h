#pragma once

#include <vector>

#include "dlvm/ir/type.h"

namespace dlvm {

/// Returns whether the values of an enum hold values of the same enum, so that they have no bounded size.
bool is_recursive(const TypeDeclaration& declaration);

/// Returns whether values of the type are made of several: a tuple, struct, array, or an enum that is not
/// recursive.
bool is_compound(const Type& type);

/// Returns the types of the values of which a value is made: the leaves of its components in order. An enum
/// is the position of its case (i32), and then the leaves of all payloads. What is no compound is its own
/// leaf.
std::vector<Type> expanded_types(const Type& type);
std::size_t expanded_count(const Type& type);

/// Returns the position of the first leaf of a component, or of a payload's value in an enum, in the leaves
/// of the whole.
std::size_t expanded_offset(const Type& aggregate, std::size_t component);
std::size_t expanded_offset(const Type& enumeration, std::size_t enum_case, std::size_t value);

}  // namespace dlvm
