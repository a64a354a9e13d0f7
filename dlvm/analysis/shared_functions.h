#pragma once

#include "dlvm/ir/function.h"

namespace dlvm {

/// The attribute of a function whose calls stay calls: what calls it many times has its code once.
inline constexpr std::string_view shared_attribute = "shared";

/// Returns whether the function has that attribute.
bool is_shared(const Function& function);
/// Returns whether the call can stay: the callee is shared, and has the types of the arguments, names of
/// dimensions included, so that its body fits as it is.
bool is_shared_call(const Instruction& instruction);

}  // namespace dlvm
