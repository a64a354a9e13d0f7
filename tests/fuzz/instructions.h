#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "dlvm/ir/module.h"
#include "dlvm/ir/tensor.h"

/// Random functions over all instructions that the table has, of small tensors of several element types, with
/// literals and inputs that are rich in neutral elements and extremes. The same seed gives the same.
namespace fuzz {

struct Case {
  std::unique_ptr<dlvm::Module> module;  ///< canonical, with one function `f`
  std::vector<dlvm::Tensor> inputs;
};
Case random_case(std::uint64_t seed, int steps);

}  // namespace fuzz
