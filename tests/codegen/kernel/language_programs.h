#pragma once

#include <cstddef>
#include <functional>

#include "dlvm/ir/module.h"

namespace kernel_tests {

/// Calls `of` for the programs of tests/language that compile, after the passes that come before kernels,
/// and takes one program in `step`, chosen by its name, so that a new program changes nothing for the
/// others; or only the program that the environment variable TELC_PROGRAM names. Returns the number of
/// programs.
std::size_t for_each_program(std::size_t step, const std::function<void(const dlvm::Module&)>& of);

/// Whether TELC_PROGRAM names one program.
bool is_single_program();

}  // namespace kernel_tests
