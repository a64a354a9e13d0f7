// The parts of the verifier; the invariants are listed in verify.h.
#pragma once

#include <unordered_set>

#include "dlvm/ir/module.h"
#include "dlvm/support/diagnostic.h"

namespace dlvm::verification {

struct Context {
  const Module& module;
  Diagnostics& diagnostics;
  std::unordered_set<const Function*> functions;  ///< the functions of the module
  std::unordered_set<const Global*> globals;      ///< its variables
};

/// Returns whether no part of the extent overflowed.
bool is_valid(const Extent& extent);
bool is_valid(const Type& type);

void check_body(const Context& context, const Function& function);
void check_gradients(const Context& context);
void check_interface(const Context& context);

}  // namespace dlvm::verification
