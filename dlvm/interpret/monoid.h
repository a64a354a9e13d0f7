#pragma once

#include <vector>

#include "dlvm/interpret/evaluation.h"

namespace dlvm::evaluation {

/// Accumulators into which reductions, scans and scatters combine elements: float64 or 64-bit integers, which
/// are rounded once when they are written, or the element type if a function combines (`by @f`).
class Accumulators {
 public:
  /// Makes `count` accumulators for elements of type `element`.
  Accumulators(Evaluation& e, const Combinator& by, ElementType element, std::size_t count);

  /// Sets accumulator `i` to element `at` of `values`.
  void start(std::size_t i, const Tensor& values, std::size_t at);
  /// Combines accumulator `i` with element `at` of `values`, on the right. Returns false after an error.
  bool step(std::size_t i, const Tensor& values, std::size_t at);
  /// Rounds accumulator `i` into element `at` of `result`.
  void write(std::size_t i, Tensor& result, std::size_t at) const;

 private:
  Evaluation& e_;
  const Function* function_;
  double (*real_)(double, double) = nullptr;
  std::int64_t (*integer_)(std::int64_t, std::int64_t) = nullptr;
  std::vector<double> reals_;
  std::vector<std::int64_t> integers_;
  std::vector<Tensor> scalars_;
};

}  // namespace dlvm::evaluation
