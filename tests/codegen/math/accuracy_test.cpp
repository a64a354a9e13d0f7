// The error of every function of the language that is computed an element at a time, in units in the last
// place of each floating type: compiled for this processor, and by the interpreter, against long double. The
// long sweep prints the table of docs/accuracy.md.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>
#include <set>

#include "../../../dlvm/interpret/special_functions.h"
#include "../../../dlvm/ir/instruction_table.h"
#include "forward.h"

namespace {

using dlvm::ElementType;
using dlvm::Opcode;
using Real = long double;

constexpr Real infinity = std::numeric_limits<Real>::infinity();

struct Function {
  const char* expression;  ///< in TEL, of x and, of two arguments, y
  Real (*reference)(Real x, Real y);
  double low, high;  ///< where it is steep or has zeros
  bool binary = false;
  double allowed = 4;  ///< ulp
  enum class Exception {
    none,
    product,  ///< x times what may be subnormal: that one's ulp counts
    flushed,  ///< a subnormal result may be 0
  } exception = Exception::none;
};
using enum Function::Exception;

Real logistic(Real x) { return 1 / (1 + std::exp(-x)); }
/// The quotient x / sqrt(2) is not exact; see dlvm/interpret/special_functions.cpp.
Real normal_cdf(Real x) {
  const Real root = std::numbers::sqrt2_v<Real>, low = std::fma(-root, root, Real{2}) / (2 * root);
  const Real z = -x / root, lost = (std::fma(-z, root, -x) - z * low) / root;
  const Real value = std::erfc(z), slope = -2 * std::numbers::inv_sqrtpi_v<Real> * std::exp(-z * z);
  return std::isfinite(lost) ? (value + slope * lost) / 2 : value / 2;
}
/// Near its zeros, where the terms below cancel, as the interpreter: see gamma_zeros_test.cpp.
Real digamma(Real x) {
  if (x < 0) {
    if (x == std::floor(x)) return NAN;
    const Real pi = std::numbers::pi_v<Real>, above = digamma(1 - x);
    const Real value = above - pi / std::tan(pi * (x - std::nearbyint(x)));
    return std::fabs(value) < std::fmax(1.0L, above) ? dlvm::evaluation::digamma(static_cast<double>(x))
                                                     : value;
  }
  if (std::fabs(x - 1.46163214L) < 0.02L) return dlvm::evaluation::digamma(static_cast<double>(x));
  Real shift = 0;
  for (; x < 25; x += 1) shift += 1 / x;
  const Real z = 1 / (x * x);
  const Real terms[]{1.0L / 12, -1.0L / 120, 1.0L / 252, -1.0L / 240, 1.0L / 132, -691.0L / 32760, 1.0L / 12};
  Real sum = 0;
  for (int k = 6; k >= 0; --k) sum = (sum + terms[k]) * z;
  return x == infinity ? x : std::log(x) - 0.5L / x - sum - shift;
}
Real modulo(Real x, Real y) {
  const Real r = std::isinf(y) && std::isfinite(x) ? x : std::fmod(x, y);
  return (r < 0 && y > 0) || (r > 0 && y < 0) ? r + y : r;
}
/// exp(2 u). In long double 2 u is off by some 2^-64 of itself; what is lost is added to first order.
Real gelu_tanh_odds(Real x) {
  const Real c = 1.595769121605730711706272L, c_low = 5.3511778e-20L;  // 2 sqrt(2 / pi)
  const Real d = 0.044715L, d_low = std::fma(-1e6L, d, 44715.0L) / 1e6L;
  const Real z = x * x, q = z * d, sum = q + 1, u = sum * x, v = c * u;
  if (!(std::fabs(v) < 12000)) return std::exp(v);
  const Real q_low = std::fma(z, d, -q) + std::fma(x, x, -z) * d + z * d_low;
  const Real sum_low = q > 1 ? 1 - (sum - q) : q - (sum - 1);
  const Real u_low = std::fma(sum, x, -u) + (sum_low + q_low) * x;
  return std::exp(v) * (1 + (std::fma(c, u, -v) + (c * u_low + c_low * u)));
}

Real gelu_tanh(Real x) { return x / (1 + gelu_tanh_odds(-x)); }

#define OF(formula) [](Real x, [[maybe_unused]] Real y) -> Real { return formula; }
const Function functions[] = {
    {"-x", OF(-x), -1, 1},
    {"abs(x)", OF(std::fabs(x)), -1, 1},
    {"sign(x)",
     OF(x > 0   ? 1
        : x < 0 ? -1
                : x),
     -1, 1},
    {"square(x)", OF(x * x), -1, 1},
    {"sqrt(x)", OF(std::sqrt(x)), 0, 9},
    {"rsqrt(x)", OF(1 / std::sqrt(x)), 0, 9},
    {"exp(x)", OF(std::exp(x)), -104, 90},
    {"expm1(x)", OF(std::expm1(x)), -5, 5},
    {"log(x)", OF(std::log(x)), 0, 3},
    {"log1p(x)", OF(std::log1p(x)), -1, 3},
    {"sin(x)", OF(std::sin(x)), -100, 100},
    {"cos(x)", OF(std::cos(x)), -100, 100},
    {"tan(x)", OF(std::tan(x)), -100, 100},
    {"asin(x)", OF(std::asin(x)), -1, 1},
    {"acos(x)", OF(std::acos(x)), -1, 1},
    {"atan(x)", OF(std::atan(x)), -10, 10},
    {"sinh(x)", OF(std::sinh(x)), -5, 5},
    {"cosh(x)", OF(std::cosh(x)), -5, 5},
    {"tanh(x)", OF(std::tanh(x)), -5, 5},
    {"asinh(x)", OF(std::asinh(x)), -5, 5},
    {"acosh(x)", OF(std::acosh(x)), 1, 3},
    {"atanh(x)", OF(std::atanh(x)), -1, 1},
    {"erf(x)", OF(std::erf(x)), -4, 4},
    {"erfc(x)", OF(std::erfc(x)), -4, 27},
    {"normal_cdf(x)", OF(normal_cdf(x)), -38, 6},
    {"lgamma(x)", OF(std::lgamma(x)), -12, 12},
    {"digamma(x)", OF(digamma(x)), -12, 12},
    {"floor(x)", OF(std::floor(x)), -9, 9},
    {"ceil(x)", OF(std::ceil(x)), -9, 9},
    {"round(x)", OF(std::round(x)), -9, 9},
    {"rint(x)", OF(std::nearbyint(x)), -9, 9},
    {"x + y", OF(x + y), -9, 9, true},
    {"x - y", OF(x - y), -9, 9, true},
    {"x * y", OF(x * y), -9, 9, true},
    {"x / y", OF(x / y), -9, 9, true},
    {"x % y", OF(modulo(x, y)), -9, 9, true},
    {"x ^ y", OF(std::pow(x, y)), 0, 9, true},
    {"atan2(x, y)", OF(std::atan2(x, y)), -9, 9, true},
    {"min(x, y)", OF(std::isnan(x) || std::isnan(y) ? NAN : std::fmin(x, y)), -9, 9, true},
    {"max(x, y)", OF(std::isnan(x) || std::isnan(y) ? NAN : std::fmax(x, y)), -9, 9, true},
    {"x ^ 3", OF(x * x * x), -9, 9},
    {"x ^ 15", OF(std::pow(x, Real{15})), -9, 9, false, 14},
    {"x ^ -7", OF(std::pow(x, Real{-7})), -9, 9, false, 7, flushed},
    {"relu(x)", OF(x <= 0 ? 0 : x), -9, 9},
    {"leaky_relu(x)", OF(x <= 0 ? 0.01L * x : x), -9, 9},
    {"elu(x)", OF(x <= 0 ? std::expm1(x) : x), -9, 9},
    {"selu(x)", OF(1.0507009873554804934193L * (x <= 0 ? 1.6732632423543772848170L * std::expm1(x) : x)), -9,
     9},
    {"gelu(x)", OF(x * normal_cdf(x)), -38, 9, false, 4, product},
    {"gelu_tanh_odds(x)", OF(gelu_tanh_odds(x)), -21.5, 21},
    {"gelu_tanh(x)", OF(gelu_tanh(x)), -21.5, 9, false, 4, product},
    {"sigmoid(x)", OF(logistic(x)), -100, 20},
    {"silu(x)", OF(x * logistic(x)), -100, 20, false, 4, product},
    {"softplus(x)", OF(x > 0 ? x + std::log1p(std::exp(-x)) : std::log1p(std::exp(x))), -100, 20},
};
#undef OF

/// Precision in bits, and the exponents of the largest and the least normal numbers.
struct Format {
  ElementType type;
  const char* name;
  int precision, most, least;
};
constexpr Format formats[]{{ElementType::f16, "float16", 11, 15, -14},
                           {ElementType::bf16, "bfloat16", 8, 127, -126},
                           {ElementType::f32, "float32", 24, 127, -126},
                           {ElementType::f64, "float64", 53, 1023, -1022}};

/// The error of `result` in units in the last place of `exact`.
double error(double result, Real exact, const Format& f, double least) {
  if (std::isnan(exact)) return std::isnan(result) ? 0 : 1e30;
  const Real beyond = std::ldexp(Real{1}, f.most + 1);  // takes the place of infinity
  const auto bounded = [&](Real v) { return std::clamp(v, -beyond, beyond); };
  if (std::isnan(result)) return 1e30;
  const Real size = std::max(std::fabs(bounded(exact)), static_cast<Real>(least));
  const int exponent = std::clamp(size == 0 ? f.least : std::ilogb(size), f.least, f.most);
  return static_cast<double>(
      std::ldexp(std::fabs(bounded(result) - bounded(exact)), f.precision - 1 - exponent));
}

/// Between `low` and `high`, of every magnitude, and special ones.
std::vector<double> arguments(const Format& f, double low, double high, std::size_t count, unsigned seed) {
  std::mt19937_64 engine(seed);
  std::uniform_real_distribution<double> uniform(low, high), exponent(f.least - f.precision, f.most + 1);
  std::vector<double> x;
  const double least = std::ldexp(1.0, f.least - f.precision + 1), normal = std::ldexp(1.0, f.least),
               large = std::ldexp(2 - std::ldexp(1.0, 1 - f.precision), f.most);
  for (const double v : {0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 10.0, 20.0, 100.0, 1e-20, 1e10, least, 3 * least,
                         normal, normal - least, large, std::numeric_limits<double>::infinity()})
    for (const double s : {v, -v}) x.push_back(s);
  x.push_back(std::numeric_limits<double>::quiet_NaN());
  while (x.size() < count) {
    x.push_back(uniform(engine));
    x.push_back((engine() % 2 == 0 ? 1 : -1) * std::exp2(exponent(engine)));
  }
  return x;
}

dlvm::Tensor tensor(ElementType type, const std::vector<double>& values) {
  dlvm::Tensor result(type, {static_cast<std::int64_t>(values.size())});
  for (std::size_t i = 0; i < values.size(); ++i) result.set(i, values[i]);
  return result;
}

/// Every value of a 16-bit type, but for all but each `step`-th.
dlvm::Tensor every_value(ElementType type, std::size_t step) {
  dlvm::Tensor result(type, {static_cast<std::int64_t>((65536 + step - 1) / step)});
  for (std::size_t i = 0; i < result.size(); ++i) {
    const auto bits = static_cast<std::uint16_t>(i * step);
    std::memcpy(result.data() + 2 * i, &bits, 2);
  }
  return result;
}

/// The `count` numbers of float32 whose bits are `step` apart, from number `first` of these on.
dlvm::Tensor spread_values(std::size_t first, std::size_t count, std::size_t step) {
  dlvm::Tensor result(ElementType::f32, {static_cast<std::int64_t>(count)});
  for (std::size_t i = 0; i < count; ++i) {
    const auto bits = static_cast<std::uint32_t>((first + i) * step);
    std::memcpy(result.data() + 4 * i, &bits, 4);
  }
  return result;
}

std::vector<dlvm::Tensor> inputs(const Function& function, const Format& f, std::size_t count) {
  if (!function.binary && f.precision < 16) return {every_value(f.type, count < 65536 ? 13 : 1)};
  auto x = arguments(f, function.low, function.high, count, 1);
  if (!function.binary) return {tensor(f.type, x)};
  auto y = arguments(f, 100 * function.low, 100 * function.high, count, 2);  // powers: both sides of 1
  std::shuffle(y.begin(), y.end(), std::mt19937_64(3));
  const auto special = arguments(f, 0, 1, 0, 0);
  for (const double a : special)
    for (const double b : special) x.push_back(a), y.push_back(b);
  return {tensor(f.type, x), tensor(f.type, y)};
}

struct Worst {
  double error = 0, x = 0, y = 0;
};
Worst worst(const Function& function, const Format& f, const std::vector<dlvm::Tensor>& inputs,
            const dlvm::Tensor& results) {
  Worst worst;
  for (std::size_t i = 0; i < results.size(); ++i) {
    const double x = inputs[0].real(i), y = function.binary ? inputs[1].real(i) : 0;
    const Real exact = function.reference(x, y);
    const double normal = std::ldexp(1.0, f.least);
    double least = 0;
    if (function.exception == product && std::fabs(exact / x) < normal) least = std::fabs(x) * normal;
    if (function.exception == flushed && std::fabs(exact) < normal && results.real(i) == 0) continue;
    const double e = error(results.real(i), exact, f, least);
    if (!(e <= worst.error)) worst = {e, x, y};
  }
  return worst;
}

std::string module_of(const Function& function, const Format& f) {
  return fmt::format("type {}\nx: in[N]\n{}result: out = {}\n", f.name, function.binary ? "y: in[N]\n" : "",
                     function.expression);
}

struct Errors {
  Worst compiled, interpreted;
};
Errors errors(const Function& function, const Format& f, std::size_t count, std::set<Opcode>& seen) {
  const test::Forward program(module_of(function, f));
  for (const auto& instruction : program.function().entry().instructions())
    seen.insert(instruction->opcode());
  const auto given = inputs(function, f, count);
  const auto size = static_cast<std::int64_t>(given[0].size());
  return {worst(function, f, given, program.run(given, size)),
          worst(function, f, given, program.interpreted(given, size))};
}

/// The largest error of compiled code for the numbers of float32 whose bits are `step` apart.
Worst worst_of_float32(const Function& function, const Format& f, std::size_t step) {
  constexpr std::size_t part = 1 << 20;
  const std::size_t all = ((std::size_t{1} << 32) + step - 1) / step;
  const test::Forward program(module_of(function, f));
  Worst largest;
  for (std::size_t first = 0; first < all; first += part) {
    const std::size_t count = std::min(part, all - first);
    const std::vector<dlvm::Tensor> given{spread_values(first, count, step)};
    const Worst here = worst(function, f, given, program.run(given, static_cast<std::int64_t>(count)));
    if (here.error > largest.error) largest = here;
  }
  return largest;
}

/// Tries `count` arguments of each function, and, if it is to print the table, one in 67 of all numbers of
/// float32 for those of one argument.
void check(std::size_t count, bool print) {
  constexpr std::size_t step = 67;

  std::set<Opcode> seen;
  std::string table;
  for (const Function& function : functions) {
    table += fmt::format("| `{}` |", function.expression);
    for (const Format& f : formats) {
      auto [compiled, interpreted] = errors(function, f, count, seen);
      if (print && !function.binary && f.type == ElementType::f32)
        if (const Worst more = worst_of_float32(function, f, step); more.error > compiled.error)
          compiled = more;
      INFO(std::string(function.expression), " ", std::string(f.name));
      CHECK_MESSAGE(compiled.error <= function.allowed,
                    compiled.error << " ulp at " << fmt::format("{}, {}", compiled.x, compiled.y));
      CHECK_MESSAGE(interpreted.error <= function.allowed,
                    "interpreted: " << interpreted.error << " ulp at "
                                    << fmt::format("{}, {}", interpreted.x, interpreted.y));
      table += fmt::format(" {:.2f} |", compiled.error);
    }
    table += '\n';
  }
  if (print)
    MESSAGE("\n| function | float16 | bfloat16 | float32 | float64 |\n| --- | --- | --- | --- | --- |\n"
            << table);
  // Rounded to an integer, exact, or a part of what others are computed from.
  const std::set<Opcode> others{
      Opcode::not_,           Opcode::detach,           Opcode::and_,    Opcode::or_,
      Opcode::select,         Opcode::dataTypeCast,     Opcode::bitCast, Opcode::floorDivide,
      Opcode::truncateDivide, Opcode::absorbingMultiply};
  for (std::size_t i = 0; i < dlvm::opcode_count; ++i) {
    const auto opcode = static_cast<Opcode>(i);
    const auto& definition = dlvm::definition(opcode);
    if (!definition.is(dlvm::Trait::elementwise) || definition.is(dlvm::Trait::comparison)) continue;
    INFO(definition.name);
    CHECK((seen.contains(opcode) || others.contains(opcode)));
  }
}

}  // namespace

TEST_CASE("functions of elements are accurate to 4 units in the last place") { check(4000, false); }

TEST_CASE("functions of elements, the long sweep and the table" * doctest::skip()) { check(500000, true); }
