#pragma once

#include <functional>
#include <optional>

#include "codegen/kernel/ir/program.h"
#include "dlvm/support/diagnostic.h"

namespace codegen::kernel {

/// The program of one block.
struct BuiltBlock {
  Program program;
  /// For each result, the parameter in whose memory it is, for an update in place gives it. No launch writes
  /// the output of such a result.
  std::vector<std::optional<std::size_t>> updated;
};

/// Builds the kernels of a function of one block, which may write the parameters that `overwritable` names.
using BuildBlock =
    std::function<std::optional<BuiltBlock>(const dlvm::Function&, const std::vector<bool>& overwritable)>;

/// Builds a program of a function of several blocks, whose dimensions begin with `dimensions`. Each block
/// becomes the statements that `build` gives for it as a function of its own, and the blocks are put together
/// as nested blocks, loops and branches (Ramsey: Beyond Relooper, 2022); handover.h says how they pass
/// values. The graph must be reducible, and values that several blocks use must be tensors. If that does not
/// hold, it reports an error and returns nothing.
std::optional<Program> build_structure(const dlvm::Function& function,
                                       const std::vector<std::string>& dimensions, const BuildBlock& build,
                                       dlvm::Diagnostics& diagnostics);

}  // namespace codegen::kernel
