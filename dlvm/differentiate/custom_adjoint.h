#pragma once

#include <vector>

#include "dlvm/ir/builder.h"
#include "dlvm/support/diagnostic.h"

/// Functions that have a derivative of their own (`Function::adjoint`). Their arguments and results are
/// tensors, so that each is one leaf.
namespace dlvm {

/// A call of a function, and the cotangents of its arguments (null: zero).
struct CalledAdjoint {
  Value* result;
  std::vector<Value*> cotangents;
};

/// Builds a call of the function, and one of its derivative: by the arguments in `wrt`, from `seeds`, one a
/// result (null: zero). The cotangents are added to those in `onto` (null: zero).
CalledAdjoint call_adjoint(Builder& builder, const Function& of, const std::vector<Value*>& arguments,
                           const std::vector<bool>& wrt, const std::vector<Value*>& seeds,
                           const std::vector<Value*>& onto);

/// Removes a call whose result is not used. One that may fail is otherwise taken for a check.
void erase_unused(Value* call);

/// Returns whether each derivative of its own that a function has which the declaration in forward mode calls
/// can be seen to be linear in the cotangents. Reports those of which that cannot be seen.
bool check_transposable(const Function& declared, Diagnostics& diagnostics);

}  // namespace dlvm
