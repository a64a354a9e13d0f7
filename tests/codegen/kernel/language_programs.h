#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "compare.h"
#include "dlvm/ir/module.h"

namespace kernel_tests {

/// Calls `of` for the programs of tests/language that compile, after the passes that come before kernels,
/// and takes one program in `step`, chosen by its name, so that a new program changes nothing for the
/// others; or only the program that the environment variable TELC_PROGRAM names. Returns the number of
/// programs.
std::size_t for_each_program(std::size_t step, const std::function<void(const dlvm::Module&)>& of);

/// The same; `of` is called with each program as it is, and as it becomes if `change` changes the module that
/// the program is lowered to, before any pass.
std::size_t for_each_changed_program(
    std::size_t step, const std::function<void(dlvm::Module&)>& change,
    const std::function<void(const dlvm::Module& plain, const dlvm::Module& changed)>& of);

/// Returns calls of an entry point, one for each size for which arguments can be drawn.
std::vector<Call> calls(const dlvm::Module& module, const dlvm::EntryPoint& entry,
                        const std::vector<std::int64_t>& sizes);

/// Whether TELC_PROGRAM names one program.
bool is_single_program();

}  // namespace kernel_tests
