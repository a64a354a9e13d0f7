#pragma once

#include "dlvm/ir/function.h"

namespace dlvm {

/// The attribute of a function whose calls stay calls: what calls it many times has its code once.
inline constexpr std::string_view shared_attribute = "shared";
/// The attribute of a function whose calls stay where `is_between_memory` is true of them.
inline constexpr std::string_view shared_in_memory_attribute = "sharedInMemory";

/// Returns whether the function has the attribute `shared`.
bool is_shared(const Function& function);
/// Returns whether the function has one of the two attributes.
bool may_be_shared(const Function& function);
/// Returns whether the call can stay: the callee may be shared, and has the types of the arguments, names of
/// dimensions included, so that its body fits as it is.
bool is_shared_call(const Instruction& instruction);

/// Returns whether no kernel would hold what the call computes together with anything else: in a body of one
/// block, it only takes scalars and what is in memory without it, parameters of the body and results of other
/// calls, which no other call of the function takes, and the body does nothing but return its results.
bool is_between_memory(const Instruction& call);

}  // namespace dlvm
