#pragma once

#include <map>
#include <set>

#include "codegen/kernel/kernel.h"

namespace codegen::kernel {

/// Kernels of a program, each of them once: two are the same if they are but for names and locations.
class KernelTable {
 public:
  /// The position of the kernel, or of the same one that is there. A new one gets a name of its own.
  std::uint32_t add(Kernel kernel);
  std::vector<Kernel> take() { return std::move(kernels_); }

 private:
  std::vector<Kernel> kernels_;
  std::map<std::string, std::uint32_t> known_;  ///< by text with names by position
  std::set<std::string> names_;
};

}  // namespace codegen::kernel
