#pragma once

#include <functional>
#include <optional>

#include "codegen/kernel/ir/program.h"
#include "dlvm/support/diagnostic.h"

namespace codegen::kernel {

/// Builds the kernels of a function of one block.
using BuildBlock = std::function<std::optional<Program>(const dlvm::Function&)>;

/// Builds a program of a function of several blocks. Each block becomes the statements that `build` gives for
/// it as a function of its own, and the blocks are put together as nested blocks, loops and branches (Ramsey:
/// Beyond Relooper, 2022). A branch hands a value to its successor by a swap if it is used for nothing else,
/// and otherwise by a kernel that copies it. The graph must be reducible, no block may end in a trap, and
/// values that several blocks use must be tensors. If that does not hold, it reports an error and returns
/// nothing.
std::optional<Program> build_structure(const dlvm::Function& function, const BuildBlock& build,
                                       dlvm::Diagnostics& diagnostics);

}  // namespace codegen::kernel
