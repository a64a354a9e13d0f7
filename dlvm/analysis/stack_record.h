#pragma once

#include <optional>

#include "dlvm/ir/function.h"

namespace dlvm {

/// Returns the type that all values on a stack have: the stack is made in the function, pushed to, peeked at
/// and popped from there, and given to no call and no block. Returns nothing where the types differ, or are
/// not known. A stack that nothing is pushed to holds `()`.
std::optional<Type> stack_record(const Value& stack);

}  // namespace dlvm
