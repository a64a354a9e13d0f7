#pragma once

#include <llvm/IR/Constants.h>
#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/Module.h>

#include <map>
#include <string>
#include <vector>

#include "dlvm/ir/extent.h"

namespace codegen {

using Constants = std::vector<llvm::Constant*>;

/// Makes constants of an LLVM module in the layout of C structs: a struct's members in order, with C's
/// padding. All globals are internal.
class ConstantWriter {
 public:
  explicit ConstantWriter(llvm::Module& module) : module_(module) {}

  llvm::Constant* i32(std::int64_t value) const;
  llvm::Constant* i64(std::int64_t value) const;
  llvm::Constant* null() const;
  llvm::Constant* structure(const Constants& members) const;
  /// A pointer to a constant array of these elements, which have one type; null where there are none.
  llvm::Constant* array(const Constants& elements);
  /// A pointer to a constant.
  llvm::Constant* global(llvm::Constant* value);
  /// A pointer to a NUL-terminated text; equal texts are one.
  llvm::Constant* text(const std::string& text);
  /// The function of that name, or null.
  llvm::Constant* function(const std::string& name) const;

  /// `runtime::Extent` over the dimensions of `names`, in this order. Null where the extent uses another name
  /// or its program needs too large a stack.
  llvm::Constant* extent(const dlvm::Extent& extent, const std::vector<std::string>& names);

 private:
  llvm::Module& module_;
  std::map<std::string, llvm::Constant*> texts_;
};

}  // namespace codegen
