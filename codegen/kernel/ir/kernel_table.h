#pragma once

#include <set>
#include <unordered_map>

#include "codegen/kernel/ir/hash.h"

namespace codegen::kernel {

/// The kernels of a program, each stored once. Two kernels are the same if they differ in annotations alone.
class KernelTable {
 public:
  /// Returns the position of `kernel`, or of the same kernel if the table has it. A new kernel gets a unique
  /// name.
  std::uint32_t add(Kernel kernel);
  std::vector<Kernel> take() { return std::move(kernels_); }

 private:
  std::vector<Kernel> kernels_;
  std::unordered_map<Kernel, std::uint32_t, KernelHash> known_;  ///< without annotations
  std::set<std::string> names_;
};

}  // namespace codegen::kernel
