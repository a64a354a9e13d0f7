#include "dlvm/gradcheck/gradient_point.h"

#include "dlvm/ir/elements.h"

namespace dlvm {
namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();
// How far rounding may move a difference, in units of epsilon times the value over h. The sum of n terms one
// after the other has n roundings of partial sums, whose signs are as good as random: the standard deviation
// of the difference is a third of sqrt(n), and the bound is four of these.
constexpr double short_sums = 32, long_sums = 4.0 / 3;

}  // namespace

Point::Point(const Differentiated& function, const EntryCall& call)
    : function_(&function), dimensions_(call.dimensions), arguments_(function.arguments(call)) {
  for (RuntimeValue& argument : arguments_)
    if (is_floating(argument.tensor().element()))
      argument = elements::converted(argument.tensor(), ElementType::f64);
}

bool Point::evaluate(std::string& why) {
  detached_.clear();
  outputs_ = false;
  base_ = function_->value(arguments_, dimensions_, detached_, false, false);
  if (base_.error.empty() && !all_finite(base_.terms) && function_->has_outputs()) {
    outputs_ = true;
    detached_.clear();
    base_ = function_->value(arguments_, dimensions_, detached_, false, true);
  }
  const auto results = function_->derivative(arguments_, dimensions_);
  if (!base_.error.empty() || !results) {
    why = base_.error.empty() ? results.error->text : base_.error;
    return false;
  }
  derivatives_.clear();
  for (const auto& derivative : function_->derivatives())
    derivatives_.push_back(elements::reals(results.value.elements()[derivative.result].tensor()));
  return true;
}

Point::Difference Point::difference(std::size_t argument, const Direction& direction, double h) {
  std::vector<double> values[4];
  const double steps[]{-2 * h, -h, h, 2 * h};
  for (int k = 0; k < 4; ++k) {
    auto moved = arguments_;
    Tensor tensor = arguments_[argument].tensor();
    for (const auto& [element, amount] : direction)
      tensor.set(element, tensor.real(element) + steps[k] * amount);
    moved[argument] = std::move(tensor);
    auto there = function_->value(moved, dimensions_, detached_, true, outputs_);
    if (!there.error.empty() || there.decisions != base_.decisions) return {0, 0, true};
    values[k] = std::move(there.terms);
  }
  double narrow = 0, wide = 0, magnitude = 0;
  for (std::size_t i = 0; i < base_.terms.size(); ++i) {
    if (!std::isfinite(base_.terms[i])) continue;
    narrow += (values[2][i] - values[1][i]) / (2 * h);
    wide += (values[3][i] - values[0][i]) / (4 * h);
    magnitude += std::fabs(base_.terms[i]);
  }
  if (!std::isfinite(narrow) || !std::isfinite(wide)) return {0, 0, true};
  const double roundings = short_sums + long_sums * std::sqrt(function_->longest_sum());
  return {(4 * narrow - wide) / 3, roundings * epsilon * magnitude / h, false};
}

}  // namespace dlvm
