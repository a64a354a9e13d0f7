// `dlopt --run @f`: a function called with tensors from files.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "dlvm/ir/module.h"
#include "telc/status.h"

namespace telc {

struct FunctionCall {
  std::string function;             ///< the name, with or without `@`
  std::vector<std::string> inputs;  ///< the arguments as `dlvm::read_given` takes them, named 0, 1, …
  /// The file as `dlvm::write_results` takes it; empty for standard output.
  std::string output;
  std::vector<std::string> dimensions;   ///< NAME=EXTENT
  std::int64_t step_limit = 10'000'000;  ///< the interpreter's limit of branches and calls
  std::string precision = "rounded";     ///< the interpreter's precision, `rounded` or `float64`
  std::string device = "interpreter";    ///< or a target as `--device` names it
  std::string source;                    ///< the module's file
};

/// Returns the name of the function without `@`.
std::string name_of(const FunctionCall& call);

/// Calls a function of the module. Gradient declarations become functions first, and for a device the module
/// is made canonical. Messages go to standard error.
Status call(dlvm::Module& module, const FunctionCall& call);

}  // namespace telc
