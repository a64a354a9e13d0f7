#pragma once

#include "codegen/emit/emitter.h"
#include "codegen/target/gpu/emit_kernels.h"

namespace codegen::target::gpu {

/// Builds the LLVM function of a kernel. Code that is the same for all statements goes to its entry block;
/// the statements go to where `builder` stands.
class KernelFunction {
 public:
  /// Adds the function with that many argument slots. `names` are the dimensions in the order of the argument
  /// buffer.
  KernelFunction(llvm::Module& code, const std::string& name, std::size_t arguments,
                 const std::vector<std::string>& names);
  KernelFunction(const KernelFunction&) = delete;
  KernelFunction& operator=(const KernelFunction&) = delete;

  llvm::IRBuilder<>& builder() { return builder_; }
  llvm::Function& function() { return *function_; }
  /// Points to the record of the first index outside its range.
  llvm::Value* record() { return record_; }
  /// Returns the address that is stored in the argument slot of this number.
  llvm::Value* argument(std::size_t slot, const std::string& name);

  /// Ends the function here if an index was outside its range in an earlier kernel.
  void return_after_error();
  /// Returns memory of the thread, set to `value` unless that is null.
  llvm::AllocaInst* variable(llvm::Type* type, llvm::Value* value);

  /// Emits a grid of one schedule, which extract_grid returned, on these memories of its arguments. Its
  /// blocks have `threads` threads, which wait for each other at this barrier. Returns the bytes of shared
  /// memory that it takes.
  std::int64_t emit(const schedule::Schedule& grid, std::span<const kernel::CheckSite> sites,
                    std::span<llvm::Value* const> arguments, unsigned threads, unsigned barrier = 0);
  /// Ends the function.
  void finish();

 private:
  llvm::Value* word(llvm::Value* index);
  llvm::Value* global(llvm::Value* address);
  std::int64_t place_shared(const schedule::Schedule& grid, emit::Emitter& emitter);

  llvm::Function* function_;
  llvm::BasicBlock* body_;
  llvm::IRBuilder<> start_, builder_;
  llvm::Value* record_;
  emit::Extents extents_;
};

/// Returns the name as one that PTX allows.
std::string identifier(const std::string& text);
/// Returns the number of a grid's blocks: the points of its block loops.
dlvm::Extent blocks_of(const schedule::Loop& grid);

}  // namespace codegen::target::gpu
