#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "codegen/kernel/ir/program.h"

namespace codegen::kernel {

/// The result of a run.
struct Execution {
  /// The elements of the function's result, in order; unspecified after an error.
  std::vector<dlvm::Tensor> outputs;
  /// A check that failed ("site 0: index 12 is not in [0, 10)"), or a mistake in the program: an access
  /// outside its buffer, a use before a definition.
  std::optional<std::string> error;
};

/// Runs a program on concrete inputs, which are in the order of the function's parameters, point by point in
/// the order that kernel.h gives. It defines the meaning of kernels and is very slow. The instructions'
/// evaluation rules compute the scalars. Arena, outputs and local buffers begin as NaN, so that a read of an
/// element that was never written shows.
Execution interpret(const Program& program, std::span<const dlvm::Tensor> inputs,
                    const Extent::Bindings& dimensions);

}  // namespace codegen::kernel
