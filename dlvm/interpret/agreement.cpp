#include "dlvm/interpret/agreement.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "dlvm/ir/elements.h"

namespace dlvm {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

double largest_finite(ElementType element) {
  if (element == ElementType::f16) return 65504;
  if (element == ElementType::bf16) return 0x1.FEp127;
  if (element == ElementType::f32) return std::numeric_limits<float>::max();
  return std::numeric_limits<double>::max();
}

double largest_magnitude(const Tensor& tensor) {
  double largest = 0;
  for (const double x : elements::reals(tensor))
    if (std::isfinite(x)) largest = std::max(largest, std::fabs(x));
  return largest;
}

/// The largest |r - u| where both are finite.
double largest_rounding(const Tensor& rounded, const Tensor& exact) {
  double largest = 0;
  for (std::size_t i = 0; i < rounded.size(); ++i) {
    const double difference = std::fabs(rounded.real(i) - exact.real(i));
    if (std::isfinite(difference)) largest = std::max(largest, difference);
  }
  return largest;
}

/// The difference of one element as a share of what is allowed; infinite where no difference is.
struct Judge {
  ElementType element;
  double scale, slack;  ///< max |r| + s, and 8 max |r - u|
  double factor;        ///< of the tolerance

  double operator()(double a, double r, double u) const {
    if (std::isnan(r) || std::isnan(a)) return std::isnan(r) && std::isnan(a) ? 0 : infinity;
    const double limit = largest_finite(element);
    if (std::fabs(u) > limit && (a == std::copysign(infinity, u) || a == std::copysign(limit, u))) return 0;
    if (std::isinf(r) || std::isinf(a)) return a == r ? 0 : infinity;
    const double difference = std::fabs(a - r),
                 allowed = factor * (tolerance(element) * (std::fabs(r) + scale) + slack);
    if (difference == 0) return 0;
    return allowed == 0 ? infinity : difference / allowed;
  }
};

std::string position(const Tensor& tensor, std::size_t i) {
  std::vector<std::int64_t> at;
  auto rest = static_cast<std::int64_t>(i);
  for (const auto stride : elements::strides_of(tensor.extents())) {
    at.push_back(stride == 0 ? 0 : rest / stride);
    rest -= at.back() * stride;
  }
  return fmt::format("[{}]", fmt::join(at, ", "));
}

Agreement different_form(const Comparison& c) {
  Agreement agreement{c.name, false, "", 0, infinity, c.rounded.size()};
  agreement.why = fmt::format("is {} [{}], not {} [{}]", info(c.actual.element()).name,
                              fmt::join(c.actual.extents(), " x "), info(c.rounded.element()).name,
                              fmt::join(c.rounded.extents(), " x "));
  return agreement;
}

Agreement compare_exactly(const Comparison& c) {
  Agreement agreement{c.name, true, "", 0, 0, 0};
  for (std::size_t i = 0; i < c.actual.size(); ++i) {
    if (c.actual.integer(i) == c.rounded.integer(i)) continue;
    if (agreement.disagreeing++ == 0) {
      agreement.agrees = false;
      agreement.worst = i;
      agreement.worst_ratio = infinity;
      agreement.why =
          fmt::format("{} is {}, not {}", position(c.actual, i), c.actual.integer(i), c.rounded.integer(i));
    }
  }
  return agreement;
}

Agreement compare_reals(const Comparison& c, double s, double factor) {
  const Judge judge{c.actual.element(), largest_magnitude(c.rounded) + s,
                    8 * largest_rounding(c.rounded, c.exact), factor};
  Agreement agreement{c.name, true, "", 0, 0, 0};
  for (std::size_t i = 0; i < c.actual.size(); ++i) {
    const double ratio = judge(c.actual.real(i), c.rounded.real(i), c.exact.real(i));
    if (ratio > 1) ++agreement.disagreeing;
    if (ratio <= agreement.worst_ratio) continue;
    agreement.worst = i;
    agreement.worst_ratio = ratio;
    agreement.agrees = ratio <= 1;
    agreement.why =
        fmt::format("{} is {}, the interpreter gives {} (in float64 {}): {:.3g} times what is allowed",
                    position(c.actual, i), c.actual.real(i), c.rounded.real(i), c.exact.real(i), ratio);
  }
  return agreement;
}

}  // namespace

double tolerance(ElementType element) {
  if (element == ElementType::f16) return 2e-3;
  if (element == ElementType::bf16) return 1.6e-2;
  if (element == ElementType::f32) return 1e-5;
  if (element == ElementType::f64) return 1e-12;
  return 0;
}

std::vector<Agreement> compare(std::span<const Comparison> results, double factor) {
  double largest = 0;
  for (const Comparison& c : results)
    if (is_floating(c.rounded.element())) largest = std::max(largest, largest_magnitude(c.rounded));
  std::vector<Agreement> agreements;
  for (const Comparison& c : results) {
    if (c.actual.element() != c.rounded.element() || c.actual.extents() != c.rounded.extents() ||
        c.exact.extents() != c.rounded.extents())
      agreements.push_back(different_form(c));
    else if (is_floating(c.actual.element()))
      agreements.push_back(compare_reals(c, 1e-3 * largest, factor));
    else
      agreements.push_back(compare_exactly(c));
  }
  return agreements;
}

}  // namespace dlvm
