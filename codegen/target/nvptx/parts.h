#pragma once

#include <llvm/IR/Module.h>

#include <string>
#include <vector>

/// Splits a module of kernels into parts, so that LLVM works on several at the same time.
namespace codegen::target::nvptx {

/// The size of the parts: one part for so many instructions, and at most so many parts.
struct PartLimits {
  std::size_t instructions = 20000, parts = 8;
};

/// Splits the module into parts, as bitcode. Each kernel is in one of them, in the order of the module, and
/// every part contains the functions and tables that its kernels use, under names that no other part has. The
/// parts depend on the module alone and not on the machine.
std::vector<std::string> split(const llvm::Module& module, PartLimits limits = {});

/// Returns the PTX of the module, joined from the PTX of its parts in order.
std::string join_ptx(const std::vector<std::string>& parts);

}  // namespace codegen::target::nvptx
