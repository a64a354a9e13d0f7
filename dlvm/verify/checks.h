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

/// Reports the instruction of the block. Returns false.
bool report(const Context& context, const BasicBlock& block, const Instruction& instruction,
            const DiagnosticKind& kind, const std::string& reason);

/// Each returns whether there is no error. The first takes the instruction for itself: its operands are
/// there, wherever they are defined.
bool check_instruction(const Context& context, const BasicBlock& block, const Instruction& instruction);
bool check_literal(const Context& context, const BasicBlock& block, const Instruction& user,
                   const Literal& literal);

void check_body(const Context& context, const Function& function);
void check_gradients(const Context& context);
void check_derivatives(const Context& context);
void check_interface(const Context& context);

}  // namespace dlvm::verification
