#pragma once

#include <llvm/IR/Module.h>

#include <string>
#include <vector>

/// A module of kernels in parts, so that LLVM works on several at the same time.
namespace codegen::target::nvptx {

/// Where a module is split: a part is made for so many instructions, up to so many parts.
struct PartLimits {
  std::size_t instructions = 20000, parts = 8;
};

/// Splits the module into parts, as bitcode. A kernel is in one of them, in the order of the module, and
/// every part has the functions and tables that its kernels use, under names that no other part has. The
/// parts depend on the module alone, not on the machine.
std::vector<std::string> split(const llvm::Module& module, PartLimits limits = {});

/// Joins the PTX of the parts, in order, to that of the module.
std::string join_ptx(const std::vector<std::string>& parts);

}  // namespace codegen::target::nvptx
