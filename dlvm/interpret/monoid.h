#pragma once

#include <vector>

#include "dlvm/interpret/evaluation.h"

namespace dlvm::evaluation {

/// Numbers into which elements are combined, as reductions, scans and scatters do: in float64 or 64-bit
/// integers, rounded once when written; with a function (`by @f`) in the element type.
class Accumulators {
 public:
  /// `count` of them, for elements of type `element`.
  Accumulators(Evaluation& e, const Combinator& by, ElementType element, std::size_t count);

  /// Accumulator `i` becomes element `at` of `values`.
  void start(std::size_t i, const Tensor& values, std::size_t at);
  /// Accumulator `i` is combined with element `at` of `values`, on the right; false after an error.
  bool step(std::size_t i, const Tensor& values, std::size_t at);
  /// Accumulator `i` is rounded into element `at` of `result`.
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
