#pragma once

#include <cmath>
#include <vector>

#include "dlvm/interpret/interpret.h"

namespace kernel_tests {

/// Returns the elements in order.
inline std::vector<double> values_of(const dlvm::Tensor& tensor) {
  std::vector<double> values;
  for (std::size_t i = 0; i < tensor.size(); ++i) values.push_back(tensor.real(i));
  return values;
}

/// Returns whether two numbers are equal up to the rounding of float32, or both NaN.
inline bool agree(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  return a == b || std::abs(a - b) <= 1e-5 * (1 + std::abs(a));
}

/// Returns whether a run ended as the interpreter's did: with the same results, or both with an error.
inline bool agree(const dlvm::Interpretation& meant, const std::vector<dlvm::Tensor>& outputs, bool failed) {
  if (!meant || failed) return !meant && failed;
  for (std::size_t r = 0; r < outputs.size(); ++r) {
    const dlvm::Tensor& expected = meant.value.elements()[r].tensor();
    for (std::size_t i = 0; i < expected.size(); ++i)
      if (!agree(expected.real(i), outputs[r].real(i))) return false;
  }
  return true;
}

}  // namespace kernel_tests
