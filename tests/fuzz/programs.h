#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "dlvm/ir/builder.h"

/// Random straight-line programs over f64 tensors, differentiable nearly everywhere, with values of moderate
/// size: the same seed gives the same program.
namespace fuzz {

struct Program {
  std::vector<dlvm::Type> parameters;
  std::vector<std::vector<std::int64_t>> extents;  ///< of the parameters, for inputs
  std::uint64_t seed;
  int steps;
};

/// Parameters of ranks 0 to 3 over constants, 1 and a dimension N, which is from 0 to 3 in `extents`.
Program random_program(std::uint64_t seed);

/// Builds the program's body; the result is a tuple of tensors.
dlvm::Value* build(const Program& program, dlvm::Builder& b, const std::vector<dlvm::Value*>& arguments);

}  // namespace fuzz
