#pragma once

#include <span>
#include <vector>

#include "dlvm/ir/tensor.h"

namespace dlvm {

/// Returns the elements `row` of the tensor in ascending or descending order: equal ones keep their order,
/// and NaN is above all numbers.
std::vector<std::size_t> sorted(const Tensor& tensor, std::vector<std::size_t> row, bool descending);

}  // namespace dlvm
