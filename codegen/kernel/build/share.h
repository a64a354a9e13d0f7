#pragma once

#include <set>
#include <unordered_map>

#include "codegen/kernel/ir/hash.h"

namespace codegen::kernel {

/// Kernels of a program, each of them once: two are the same if they differ in annotations alone.
class KernelTable {
 public:
  /// The position of the kernel, or of the same one that is there. A new one gets a name of its own.
  std::uint32_t add(Kernel kernel);
  std::vector<Kernel> take() { return std::move(kernels_); }

 private:
  std::vector<Kernel> kernels_;
  std::unordered_map<Kernel, std::uint32_t, KernelHash> known_;  ///< without annotations
  std::set<std::string> names_;
};

}  // namespace codegen::kernel
