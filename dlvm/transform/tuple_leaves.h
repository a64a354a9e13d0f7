#pragma once

#include <span>
#include <vector>

#include "dlvm/ir/builder.h"

namespace dlvm {

/// Returns the leaves of a tensor or a tuple (analysis/leaves.h), which `builder` takes out of it unless a
/// literal says them.
std::vector<Value*> leaves_of(Value* value, Builder& builder);
/// Builds the value of that type that has these leaves.
Value* from_leaves(const Type& type, std::span<Value* const> leaves, Builder& builder);

}  // namespace dlvm
