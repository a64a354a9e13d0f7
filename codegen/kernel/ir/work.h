#pragma once

#include "codegen/kernel/ir/kernel.h"

namespace codegen::kernel {

/// What one launch of a kernel does, under the values of dimensions that `dlvm::typical_count` takes.
struct Work {
  std::int64_t operations = 0;  ///< arithmetic, as the instruction table's column `cost` counts it
  std::int64_t bytes = 0;       ///< each element of an argument that is accessed, once
};

/// Returns the work of the kernel. A scalar is computed once for each point of the axes that it depends on;
/// in the padding of windows it counts as well.
Work work_of(const Kernel& kernel);

}  // namespace codegen::kernel
