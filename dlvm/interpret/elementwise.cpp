// Rules of the elementwise instructions: operands are stretched to the result's extents, then combined an
// element at a time, in float64 or 64-bit integers, and rounded (or wrapped) once.
#include <fmt/format.h>

#include <cmath>

#include "dlvm/interpret/evaluation.h"
#include "dlvm/interpret/operations.h"
#include "dlvm/interpret/special_functions.h"
#include "dlvm/ir/elements.h"

namespace dlvm::evaluation {
namespace {

/// Operand `i` with the result's extents: itself, or stretched. Null where it does not fit.
class Fitted {
 public:
  Fitted(Evaluation& e, std::size_t i, const Extents& to) {
    const Tensor& tensor = e.operand(i);
    if (tensor.extents() == to) {
      tensor_ = &tensor;
    } else if (stretches(tensor.extents(), to)) {
      tensor_ = &stretched_.emplace(stretched(tensor, to));
    } else {
      e.fail(InterpretError::Kind::extent,
             fmt::format("operand {} has extents [{}], the result [{}]", i,
                         fmt::join(tensor.extents(), " x "), fmt::join(to, " x ")));
    }
  }
  Fitted(const Fitted&) = delete;
  Fitted& operator=(const Fitted&) = delete;

  explicit operator bool() const { return tensor_ != nullptr; }
  const Tensor& operator*() const { return *tensor_; }
  const Tensor* operator->() const { return tensor_; }

 private:
  std::optional<Tensor> stretched_;
  const Tensor* tensor_ = nullptr;
};

template <typename Number>
std::vector<Number> numbers(const Tensor& tensor) {
  if constexpr (std::is_same_v<Number, double>)
    return reals(tensor);
  else
    return integers(tensor);
}

/// Computes with `compute` on each element, read as `Number` and seen as `As` (uint64_t for u64).
template <typename Number, typename As, typename Compute>
Outcome map1(Evaluation& e, Compute compute) {
  auto result = e.result();
  if (!result) return std::nullopt;
  const Fitted x(e, 0, result->extents());
  if (!x) return std::nullopt;
  const auto xs = numbers<Number>(*x);
  for (std::size_t i = 0; i < xs.size(); ++i) {
    const auto value = compute(static_cast<As>(xs[i]));
    if constexpr (std::is_same_v<std::decay_t<decltype(value)>, double>)
      result->set(i, value);
    else
      result->set(i, static_cast<std::int64_t>(value));
  }
  return RuntimeValue(std::move(*result));
}

template <typename Number, typename As, typename Compute>
Outcome map2(Evaluation& e, Compute compute) {
  auto result = e.result();
  if (!result) return std::nullopt;
  const Fitted x(e, 0, result->extents());
  const Fitted y(e, 1, result->extents());
  if (!x || !y) return std::nullopt;
  const auto xs = numbers<Number>(*x), ys = numbers<Number>(*y);
  for (std::size_t i = 0; i < xs.size(); ++i) {
    const auto value = compute(static_cast<As>(xs[i]), static_cast<As>(ys[i]));
    if constexpr (std::is_same_v<std::decay_t<decltype(value)>, double>)
      result->set(i, value);
    else
      result->set(i, static_cast<std::int64_t>(value));
  }
  return RuntimeValue(std::move(*result));
}

template <typename Compute>
Outcome real(Evaluation& e, Compute compute) {
  return map1<double, double>(e, compute);
}
template <typename Compute>
Outcome reals2(Evaluation& e, Compute compute) {
  return map2<double, double>(e, compute);
}

/// `compute` takes two double, two int64_t or two uint64_t.
template <typename Compute>
Outcome numeric(Evaluation& e, Compute compute) {
  const ElementType element = e.operand(0).element();
  if (is_floating(element)) return map2<double, double>(e, compute);
  if (element == ElementType::u64) return map2<std::int64_t, std::uint64_t>(e, compute);
  return map2<std::int64_t, std::int64_t>(e, compute);
}
template <typename Compute>
Outcome numeric1(Evaluation& e, Compute compute) {
  const ElementType element = e.operand(0).element();
  if (is_floating(element)) return map1<double, double>(e, compute);
  if (element == ElementType::u64) return map1<std::int64_t, std::uint64_t>(e, compute);
  return map1<std::int64_t, std::int64_t>(e, compute);
}

struct Negate {
  double operator()(double x) const { return -x; }
  template <std::integral I>
  I operator()(I x) const {
    return Subtract()(I{0}, x);
  }
};
struct Absolute {
  double operator()(double x) const { return std::fabs(x); }
  std::int64_t operator()(std::int64_t x) const { return x < 0 ? Subtract()(std::int64_t{0}, x) : x; }
  std::uint64_t operator()(std::uint64_t x) const { return x; }
};
struct Sign {
  double operator()(double x) const { return x > 0 ? 1 : x < 0 ? -1 : x; }
  template <std::integral I>
  I operator()(I x) const {
    return static_cast<I>((x > 0) - (x < 0));
  }
};

}  // namespace

namespace rules {

RULE(sinh) {
  return real(e, [](double x) { return std::sinh(x); });
}
RULE(cosh) {
  return real(e, [](double x) { return std::cosh(x); });
}
RULE(tanh) {
  return real(e, [](double x) { return std::tanh(x); });
}
RULE(asinh) {
  return real(e, [](double x) { return std::asinh(x); });
}
RULE(acosh) {
  return real(e, [](double x) { return std::acosh(x); });
}
RULE(atanh) {
  return real(e, [](double x) { return std::atanh(x); });
}
RULE(log) {
  return real(e, [](double x) { return std::log(x); });
}
RULE(log1p) {
  return real(e, [](double x) { return std::log1p(x); });
}
RULE(exp) {
  return real(e, [](double x) { return std::exp(x); });
}
RULE(expm1) {
  return real(e, [](double x) { return std::expm1(x); });
}
RULE(negate) { return numeric1(e, Negate()); }
RULE(abs) { return numeric1(e, Absolute()); }
RULE(sign) { return numeric1(e, Sign()); }
RULE(square) {
  return numeric1(e, [](auto x) { return Multiply()(x, x); });
}
RULE(sqrt) {
  return real(e, [](double x) { return std::sqrt(x); });
}
RULE(rsqrt) {
  return real(e, [](double x) { return 1 / std::sqrt(x); });
}
RULE(round) {
  return real(e, [](double x) { return std::round(x); });
}
RULE(rint) {
  return real(e, [](double x) { return std::nearbyint(x); });
}
RULE(ceil) {
  return real(e, [](double x) { return std::ceil(x); });
}
RULE(floor) {
  return real(e, [](double x) { return std::floor(x); });
}
RULE(tan) {
  return real(e, [](double x) { return std::tan(x); });
}
RULE(cos) {
  return real(e, [](double x) { return std::cos(x); });
}
RULE(sin) {
  return real(e, [](double x) { return std::sin(x); });
}
RULE(acos) {
  return real(e, [](double x) { return std::acos(x); });
}
RULE(asin) {
  return real(e, [](double x) { return std::asin(x); });
}
RULE(atan) {
  return real(e, [](double x) { return std::atan(x); });
}
RULE(lgamma) {
  return real(e, [](double x) { return evaluation::lgamma(x); });
}
RULE(digamma) {
  return real(e, [](double x) { return evaluation::digamma(x); });
}
RULE(erf) {
  return real(e, [](double x) { return std::erf(x); });
}
RULE(erfc) {
  return real(e, [](double x) { return std::erfc(x); });
}
RULE(normalCdf) {
  return real(e, [](double x) { return evaluation::normal_cdf(x); });
}
RULE(geluTanhOdds) {
  return real(e, [](double x) { return evaluation::gelu_tanh_odds(x); });
}
RULE(not_) {
  return map1<std::int64_t, std::int64_t>(e, [](std::int64_t x) { return std::int64_t{x == 0}; });
}
RULE(detach) { return e.operands[0]; }
RULE(isFinite) {
  return real(e, [](double x) { return std::int64_t{std::isfinite(x)}; });
}
RULE(isNaN) {
  return real(e, [](double x) { return std::int64_t{std::isnan(x)}; });
}

RULE(add) { return numeric(e, Add()); }
RULE(subtract) { return numeric(e, Subtract()); }
RULE(multiply) { return numeric(e, Multiply()); }
RULE(divide) {
  return reals2(e, [](double x, double y) { return x / y; });
}
RULE(min) { return numeric(e, Min()); }
RULE(max) { return numeric(e, Max()); }
RULE(truncateDivide) { return numeric(e, TruncateDivide()); }
RULE(floorDivide) { return numeric(e, FloorDivide()); }
RULE(modulo) { return numeric(e, Modulo()); }
RULE(power) { return numeric(e, Power()); }
RULE(and_) { return map2<std::int64_t, std::int64_t>(e, And()); }
RULE(or_) { return map2<std::int64_t, std::int64_t>(e, Or()); }
RULE(lessThan) {
  return numeric(e, [](auto x, auto y) { return std::int64_t{x < y}; });
}
RULE(lessThanOrEqual) {
  return numeric(e, [](auto x, auto y) { return std::int64_t{x <= y}; });
}
RULE(greaterThan) {
  return numeric(e, [](auto x, auto y) { return std::int64_t{x > y}; });
}
RULE(greaterThanOrEqual) {
  return numeric(e, [](auto x, auto y) { return std::int64_t{x >= y}; });
}
RULE(equal) {
  return numeric(e, [](auto x, auto y) { return std::int64_t{x == y}; });
}
RULE(notEqual) {
  return numeric(e, [](auto x, auto y) { return std::int64_t{x != y}; });
}
RULE(atan2) {
  return reals2(e, [](double y, double x) { return std::atan2(y, x); });
}
RULE(absorbingMultiply) {
  return reals2(e, [](double x, double y) { return x == 0 || y == 0 ? 0.0 : x * y; });
}

RULE(select) {
  if (!e.instruction.type().is_tensor()) return e.operands[e.operand(2).integer(0) != 0 ? 0 : 1];
  auto result = e.result();
  if (!result) return std::nullopt;
  const Fitted yes(e, 0, result->extents()), no(e, 1, result->extents()), condition(e, 2, result->extents());
  if (!yes || !no || !condition) return std::nullopt;
  const std::size_t bytes = info(result->element()).bytes;
  for (std::size_t i = 0; i < result->size(); ++i) {
    const Tensor& side = condition->integer(i) != 0 ? *yes : *no;
    std::copy_n(side.data() + i * bytes, bytes, result->data() + i * bytes);
  }
  return RuntimeValue(std::move(*result));
}

RULE(dataTypeCast) {
  return RuntimeValue(converted(e.operand(0), e.interpreted(e.instruction.type().element())));
}

/// Of the operand in its own type, also where floats are computed in f64.
RULE(bitCast) {
  const Tensor given = converted(e.operand(0), e.instruction.operand(0)->type().element());
  const ElementType to = e.instruction.type().element();
  Tensor result(to, given.extents());
  std::copy_n(given.data(), given.byte_count(), result.data());
  return RuntimeValue(converted(result, e.interpreted(to)));
}

}  // namespace rules
}  // namespace dlvm::evaluation
