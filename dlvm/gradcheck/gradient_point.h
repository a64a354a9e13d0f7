// Derivatives and differences of one entry point at one point, for `check_gradients`.
#pragma once

#include <algorithm>
#include <cmath>

#include "dlvm/gradcheck/differentiated.h"

namespace dlvm {

/// Elements of an argument, and how far each moves.
using Direction = std::vector<std::pair<std::size_t, double>>;

/// One entry point at one point: its derivatives there, and differences around it.
class Point {
 public:
  /// `function` must outlive this object.
  Point(const Differentiated& function, const EntryCall& call);

  /// Computes value and derivatives; false, and why, where that fails.
  bool evaluate(std::string& why);
  bool value_is_finite() const { return all_finite(base_.terms); }
  bool is_finite() const { return value_is_finite() && std::ranges::all_of(derivatives_, all_finite); }
  /// Returns the largest magnitude of all finite derivatives.
  double largest() const {
    double largest = 0;
    for (const auto& derivative : derivatives_)
      for (const double x : derivative)
        if (std::isfinite(x)) largest = std::max(largest, std::fabs(x));
    return largest;
  }
  const std::vector<double>& derivative(std::size_t i) const { return derivatives_[i]; }
  const Tensor& argument(std::size_t i) const { return arguments_[i].tensor(); }
  void set_element(std::size_t argument, std::size_t element, double value) {
    Tensor tensor = arguments_[argument].tensor();
    tensor.set(element, value);
    arguments_[argument] = std::move(tensor);
  }

  struct Difference {
    double value = 0, noise = 0;  ///< the difference, and how far rounding may have moved it
    bool kink = false;            ///< some choice changes on the way: there is no derivative to compare with
  };

  /// Returns the derivative along `direction` of `argument`, by central differences at h and 2h that are
  /// extrapolated, so that the error is of order h^4. Terms that are not finite here are left out.
  Difference difference(std::size_t argument, const Direction& direction, double h);

 private:
  static bool all_finite(const std::vector<double>& numbers) {
    return std::ranges::all_of(numbers, [](double x) { return std::isfinite(x); });
  }

  const Differentiated* function_;
  Extent::Bindings dimensions_;
  std::vector<RuntimeValue> arguments_;
  Differentiated::Value base_;
  bool outputs_ = false;
  std::vector<RuntimeValue> detached_;
  std::vector<std::vector<double>> derivatives_;
};

}  // namespace dlvm
