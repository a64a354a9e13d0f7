#pragma once

#include <llvm/IR/IRBuilder.h>

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "codegen/kernel/ir/program.h"

/// Launches that follow each other, as a table and a loop over it. A network of many equal blocks launches
/// few kernels many times: calls of the kernels would be most of its code, and of the time to compile it.
namespace codegen::emit {

/// One launch: a call of the function with the words.
struct LaunchStep {
  llvm::Function* function;
  std::vector<std::uint32_t> words;
};

/// Adds a constant array of these elements to the module.
llvm::GlobalVariable* add_array(llvm::Module& module, llvm::Type* element,
                                const std::vector<llvm::Constant*>& elements, const char* name);

/// Returns whether a table of the launches is worth having a function for each of their kernels.
bool is_worth_table(std::span<const kernel::Launch* const> launches);

/// Emits a loop that calls the functions of `steps` in order with `arguments` and, behind these, the address
/// of the step's words, integers of `word_bits` bits that can hold them. The functions have the same type.
/// `after` emits what follows each call.
void emit_launch_table(llvm::IRBuilder<>& builder, std::span<const LaunchStep> steps, unsigned word_bits,
                       std::vector<llvm::Value*> arguments,
                       const std::function<void(llvm::Value* result)>& after);

}  // namespace codegen::emit
