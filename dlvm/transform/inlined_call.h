#pragma once

#include <optional>
#include <vector>

#include "dlvm/ir/function.h"

namespace dlvm {

struct InlinedCall {
  Value* result = nullptr;         ///< what stands for the call's result
  Extent::Substitution names;      ///< the callee's dimensions in the caller's terms
  std::vector<Instruction*> made;  ///< the copies, in order
};

/// Copies the body of the callee before the call, which stays. If the body has several blocks, the call's
/// block ends in the callee's entry, and what followed the call stands in a new block, to which each `return`
/// of the callee goes. Returns nothing, with nothing changed, if the callee does not fit the arguments'
/// shapes.
std::optional<InlinedCall> inline_call(Instruction& call);

}  // namespace dlvm
