#pragma once

#include <llvm/IR/Instruction.h>
#include <llvm/IR/Module.h>

#include <vector>

#include "codegen/object/constants.h"

namespace codegen::target::emulator {

/// The module's table of `runtime::Site`, with an entry for each instruction that is checked.
class Sites {
 public:
  explicit Sites(llvm::Module& module);

  /// Returns the address of a new entry for the instruction.
  llvm::Constant* add(const llvm::Instruction& instruction, runtime::AccessKind kind, std::uint64_t bytes,
                      llvm::Align alignment);

  /// Writes the table; nothing is added afterwards.
  void finish();

 private:
  llvm::Module& module_;
  object::ConstantWriter write_;
  llvm::GlobalVariable* place_;  ///< stands for the table until its size is known
  std::vector<object::Constant<runtime::Site>> entries_;
};

}  // namespace codegen::target::emulator
