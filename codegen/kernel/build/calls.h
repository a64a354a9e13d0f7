#pragma once

#include <functional>
#include <optional>

#include "codegen/kernel/build/phases.h"
#include "codegen/kernel/build/structure.h"

namespace codegen::kernel {

/// The program of a function that is called, which launches kernels alone.
struct BuiltCallee {
  Program program;
  /// For each launch, the result sets (phases.h) that something in it is needed for, as bits.
  std::vector<std::uint32_t> sets;
};

/// Builds the kernels of a function that calls use in these ways.
using BuildCallee =
    std::function<std::optional<BuiltCallee>(const dlvm::Function&, const std::vector<ResultSet>&)>;

/// Returns whether the instruction is a call that `build_with_calls` expands: of a shared function
/// (dlvm/analysis/shared_functions.h) of one block, whose results are tensors that instructions take out of
/// the result at once.
bool is_expandable_call(const dlvm::Instruction& instruction);

/// Builds a program of a function of one block that calls shared functions, whose dimensions begin with
/// `dimensions`. The kernels of a callee are built once for all calls. A call becomes those launches of the
/// callee's program that the results need which are used of it, on values of its own. What lies between calls
/// is built as a function of its own.
///
/// The adjoint of a function computes first what the function computes: one call of it gives the results, and
/// a later one, of the same arguments and cotangents besides, the derivatives. So a call leaves out the
/// launches that an earlier call has made of the same values; then the two have what the body would have,
/// inlined.
std::optional<Program> build_with_calls(const dlvm::Function& function,
                                        const std::vector<std::string>& dimensions, const BuildBlock& build,
                                        const BuildCallee& build_callee);

}  // namespace codegen::kernel
