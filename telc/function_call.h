// `dlopt --run @f`: a function called in the interpreter with tensors from files.
#pragma once

#include <string>
#include <vector>

#include "dlvm/ir/module.h"
#include "telc/status.h"

namespace telc {

struct FunctionCall {
  std::string function;                 ///< with or without `@`
  std::vector<std::string> inputs;      ///< NAME=FILE.npy or FILE.safetensors; arguments are named 0, 1, …
  std::string output;                   ///< safetensors; empty: a summary to standard output
  std::vector<std::string> dimensions;  ///< NAME=EXTENT
  std::string precision = "rounded";    ///< or float64
};

/// Messages go to standard error.
Status call(const dlvm::Module& module, const FunctionCall& call);

}  // namespace telc
