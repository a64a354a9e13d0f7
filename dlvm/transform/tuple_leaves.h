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

/// Returns the leaves of a value that is made of tensors, as far as literals say them, and null for others.
std::vector<const Value*> written_leaves(const Value* value);
/// Lets those that take components of the tuple use what the literal says, if it is one; so for tuples in it.
void forward_components(Value* value);

}  // namespace dlvm
