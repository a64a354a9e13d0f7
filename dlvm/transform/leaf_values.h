// The leaves of compound values (see expanded_type.h) as values.
#pragma once

#include <span>
#include <vector>

#include "dlvm/ir/builder.h"

namespace dlvm {

/// Returns whether an enum that is not recursive is among what values of the type are made of. Their leaves
/// cannot be taken out by `extract`.
bool holds_enum(const Type& type);

/// Returns the zero of the type, or an undefined value where it has none: what a variable is as long as
/// nothing gives it a value.
Literal* default_value(Function& function, const Type& type);

/// Takes the leaves out of a value that stays as it is, and appends them.
void extract_leaves(Builder& builder, Value* value, std::vector<Value*>& into);

/// Makes a value of its leaves.
Value* assemble(Builder& builder, const Type& type, std::span<Value* const> leaves);

}  // namespace dlvm
