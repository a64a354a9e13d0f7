#pragma once

#include <cstddef>

#include "codegen/kernel/ir/kernel.h"

namespace codegen::kernel {

/// Computes a structural hash for tables of nodes. Equal nodes have equal hashes. It ignores parts that
/// seldom tell nodes apart.
class Hash {
 public:
  /// Adds one more part by a round of FNV-1a on words (G. Fowler, L. C. Noll, K.-P. Vo).
  void add(std::size_t part) { state_ = (state_ ^ part) * 0x100000001b3; }
  void add(const Extent& extent);
  void add(const Index& index);
  void add(const Access& access);
  void add(const Scalar& scalar);
  std::size_t value() const { return state_; }

 private:
  std::size_t state_ = 0xcbf29ce484222325;
};

/// Returns the structural hash of a kernel.
std::size_t hash(const Kernel& kernel);
/// Hashes kernels for standard containers.
struct KernelHash {
  std::size_t operator()(const Kernel& kernel) const { return hash(kernel); }
};

}  // namespace codegen::kernel
