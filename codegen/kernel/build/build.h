#pragma once

#include "codegen/kernel/build/recompute.h"
#include "codegen/kernel/ir/program.h"
#include "dlvm/support/diagnostic.h"

namespace codegen::kernel {

struct BuildOptions {
  /// The function's dimensions in the order in which the caller passes them; those not named follow in the
  /// order in which the parameters name them.
  std::vector<std::string> dimensions;
  /// Every instruction but views in a kernel of its own: for comparing in tests.
  bool fuse = true;
  RecomputeLimits recompute;
};

/// The function as kernels (graph.h says which values are materialized, fuse.h which share a kernel,
/// recompute.h which are computed again later). The
/// function has one block and no calls, its parameters are tensors, its result is a tensor or a tuple of
/// tensors; where that does not hold, or a combinator is not scalar, an error is reported and nothing
/// returned. The order in which an element is reduced depends on the reduced extents alone.
std::optional<Program> build(const dlvm::Function& function, dlvm::Diagnostics& diagnostics,
                             const BuildOptions& options = {});

}  // namespace codegen::kernel
