#pragma once

#include <llvm/IR/Instruction.h>
#include <llvm/IR/Module.h>

#include <map>
#include <string>
#include <vector>

#include "runtime/abi.h"

namespace codegen::target::emulator {

/// The module's table of runtime/abi.h's `Site`, an entry an instruction.
class Sites {
 public:
  explicit Sites(llvm::Module& module);

  /// The address of a new entry for the instruction.
  llvm::Constant* add(const llvm::Instruction& instruction, runtime::AccessKind kind, std::uint64_t bytes,
                      llvm::Align alignment);

  /// Writes the table; nothing is added afterwards.
  void finish();

 private:
  llvm::Constant* text(const std::string& file);

  llvm::Module& module_;
  llvm::StructType* type_;
  llvm::GlobalVariable* place_;  ///< until the table's size is known
  std::vector<llvm::Constant*> entries_;
  std::map<std::string, llvm::Constant*> texts_;
};

}  // namespace codegen::target::emulator
