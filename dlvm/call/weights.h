#pragma once

#include <optional>
#include <string>
#include <vector>

#include "dlvm/io/tensor_files.h"
#include "dlvm/ir/module.h"

namespace dlvm {

/// Returns the tensors of a file of weights as the module has them: under its names, with the axes in its
/// order, and floating-point numbers in its types, rounded to the nearest. Tensors that the module does not
/// have, and those of another type or shape, are added to `problems`, one sentence each; then the result is
/// nothing.
std::optional<NamedTensors> weights_of_file(const Module& module, NamedTensors file,
                                            std::vector<std::string>& problems);

}  // namespace dlvm
