#pragma once

#include <memory>
#include <span>
#include <vector>

#include "dlvm/ir/function.h"

namespace codegen::kernel {

/// A part of a function as a function of its own, of one block.
struct Outlined {
  std::unique_ptr<dlvm::Function> function;
  /// The values of the original function that the parameters stand for.
  std::vector<const dlvm::Value*> parameters;
};

/// Returns a function that computes `results` by `instructions`, which follow each other in one block. What
/// they use besides, other than literals, are its parameters. Its result is the tuple of `results`, each of
/// which is an instruction of these, a literal, or becomes a parameter.
Outlined outline(const std::string& name, std::span<const dlvm::Instruction* const> instructions,
                 std::span<const dlvm::Value* const> results);

}  // namespace codegen::kernel
