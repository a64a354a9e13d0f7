// `dlopt --run @f`: a function called with tensors from files.
#pragma once

#include <string>
#include <vector>

#include "dlvm/ir/module.h"
#include "telc/status.h"

namespace telc {

struct FunctionCall {
  std::string function;                 ///< with or without `@`
  std::vector<std::string> inputs;      ///< as `dlvm::read_given` takes them; arguments are named 0, 1, …
  std::string output;                   ///< as `dlvm::write_results` takes it; empty: to standard output
  std::vector<std::string> dimensions;  ///< NAME=EXTENT
  std::string precision = "rounded";    ///< of the interpreter; or float64
  std::string device = "interpreter";   ///< or a target as `--device` names it
  std::string source;                   ///< the module's file
};

/// Gradient declarations become functions first; for a device the module is made canonical. Messages go to
/// standard error.
Status call(dlvm::Module& module, const FunctionCall& call);

}  // namespace telc
