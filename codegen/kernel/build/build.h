#pragma once

#include "codegen/kernel/build/fuse.h"
#include "codegen/kernel/build/recompute.h"
#include "codegen/kernel/ir/program.h"
#include "dlvm/support/diagnostic.h"

namespace codegen::kernel {

/// Says how a target wants its kernels to be built.
struct KernelPolicy {
  RecomputeLimits recompute = {};
  ProductChains chains = ProductChains::none;
  friend bool operator==(const KernelPolicy&, const KernelPolicy&) = default;
};

/// Options for building kernels.
struct BuildOptions {
  /// The function's dimensions in the order in which the caller passes them. Dimensions that it does not name
  /// follow, in the order in which the parameters name them.
  std::vector<std::string> dimensions;
  /// Instructions may share kernels. If not set, every instruction except views has its own kernel; tests
  /// compare the two.
  bool fuse = true;
  KernelPolicy policy;
  /// The results that the program may write to the memory of a parameter (in_place_results.h).
  std::vector<NextValue> next_values = {};
  /// For each parameter, whether it is an index that was checked for all axes that it indexes; false for
  /// those that it does not have.
  std::vector<bool> checked_parameters = {};
};

/// Builds the kernels of a DLVM function; graph.h decides which values are materialized, fuse.h which share a
/// kernel, recompute.h and recompute_products.h which are computed again later, structure.h what becomes of
/// control flow and calls.h of calls. The function's parameters must be tensors, and its result a tensor or a
/// tuple of tensors. If that does not hold, or a combinator is not scalar, it reports an error and returns
/// nothing. The order in which the points of an element are reduced depends on the reduced extents alone.
std::optional<Program> build(const dlvm::Function& function, dlvm::Diagnostics& diagnostics,
                             const BuildOptions& options = {});

}  // namespace codegen::kernel
