#pragma once

#include <llvm/IR/IRBuilder.h>

#include <map>
#include <string>
#include <vector>

#include "dlvm/ir/extent.h"

namespace codegen::object {

/// Emits the values of extents, in 64-bit arithmetic that is checked, at the insertion point of a builder.
class ExtentEmitter {
 public:
  explicit ExtentEmitter(llvm::IRBuilder<>& builder) : b_(builder), overflowed_(builder.getFalse()) {}

  /// Returns whether the extents have no divisions, which it does not emit.
  static bool can_emit(const std::vector<dlvm::Extent>& extents);

  /// Gives a dimension its value.
  void set(const std::string& dimension, llvm::Value* value) { dimensions_.emplace(dimension, value); }
  /// Returns the value of an extent whose dimensions are set.
  llvm::Value* value(const dlvm::Extent& extent);

  llvm::Value* sum(llvm::Value* a, llvm::Value* b);
  llvm::Value* difference(llvm::Value* a, llvm::Value* b);
  llvm::Value* product(llvm::Value* a, llvm::Value* b);

  /// Returns whether anything so far did not fit in 64 bits.
  llvm::Value* overflowed() const { return overflowed_; }

 private:
  llvm::Value* combine(llvm::Intrinsic::ID operation, llvm::Value* a, llvm::Value* b);

  llvm::IRBuilder<>& b_;
  llvm::Value* overflowed_;
  std::map<std::string, llvm::Value*> dimensions_;
};

}  // namespace codegen::object
