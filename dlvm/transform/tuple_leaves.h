#pragma once

#include <span>
#include <vector>

#include "dlvm/ir/builder.h"

namespace dlvm {

/// Returns whether values of the type have leaves: tuples, and structs and arrays without enums.
bool has_components(const Type& type);
/// Returns the leaves of such a value: its components, and the leaves of those that have some. Any other
/// value is its own leaf. `builder` takes them out unless a literal says them.
std::vector<Value*> leaves_of(Value* value, Builder& builder);
/// Builds the value of that type that has these leaves.
Value* from_leaves(const Type& type, std::span<Value* const> leaves, Builder& builder);

}  // namespace dlvm
