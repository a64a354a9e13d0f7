// Accuracy of the functions against the C library's in long double, over random and special arguments.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <random>

#include "../../../dlvm/interpret/special_functions.h"
#include "../target/cpu/jit.h"

namespace {

using codegen::kernel::Scalar;
using dlvm::ElementType;
using dlvm::Extent;
using dlvm::Opcode;

codegen::kernel::Kernel elementwise(Opcode opcode, ElementType type, unsigned operands) {
  using namespace codegen::kernel;
  Kernel kernel;
  kernel.name = "k";
  const Shape shape{Extent::dimension("N")};
  Stage stage;
  stage.name = "s";
  stage.axes.push_back({0, "i", Extent::dimension("N"), AxisKind::parallel});
  const Index i{0, {{1, AxisId{0}}}};
  Scalar::Operation operation{opcode, {}};
  for (unsigned k = 0; k < operands; ++k) {
    kernel.buffers.push_back({"x" + std::to_string(k), type, shape, Buffer::Space::argument, false, 0});
    stage.body.push_back({type, Scalar::Load{{k, {i}}, {}, 0}});
    operation.operands.push_back(k);
  }
  kernel.buffers.push_back({"y", type, shape, Buffer::Space::argument, true, 0});
  stage.body.push_back({type, operation});
  stage.stores.push_back({{operands, {i}}, {}, operands, std::nullopt});
  kernel.root.children.push_back(stage);
  return kernel;
}

/// Errors of `results` in units in the last place of the reference, the largest.
template <typename T>
double worst(const std::vector<T>& results, const std::vector<long double>& references,
             const std::vector<T>& x, T& at) {
  double most = 0;
  for (std::size_t i = 0; i < results.size(); ++i) {
    const long double r = references[i];
    const T rounded = static_cast<T>(r);
    double error;
    if (std::isnan(r))
      error = std::isnan(results[i]) ? 0 : 1e30;
    else if (std::isinf(rounded))
      error = results[i] == rounded ? 0 : 1e29;
    else {
      const T size = std::fabs(rounded);
      const T ulp = std::max(std::nextafter(size, std::numeric_limits<T>::infinity()) - size,
                             std::numeric_limits<T>::denorm_min());
      error = static_cast<double>(std::fabs(static_cast<long double>(results[i]) - r) / ulp);
      if (std::isnan(results[i])) error = 1e28;
    }
    if (error > most) {
      most = error;
      at = x[i];
    }
  }
  return most;
}

template <typename T>
std::vector<T> arguments(double low, double high, bool special, unsigned seed) {
  std::mt19937_64 engine(seed);
  std::uniform_real_distribution<double> uniform(low, high), exponent(-40, 40);
  std::vector<T> x;
  for (int i = 0; i < 20000; ++i) x.push_back(static_cast<T>(uniform(engine)));
  for (int i = 0; i < 4000; ++i) x.push_back(static_cast<T>((i % 2 ? 1 : -1) * std::exp2(exponent(engine))));
  if (special) {
    const T infinity = std::numeric_limits<T>::infinity(), least = std::numeric_limits<T>::denorm_min(),
            normal = std::numeric_limits<T>::min(), most = std::numeric_limits<T>::max();
    for (const T v : {T(0), T(1), T(2), T(0.5), T(1.5), least, normal, most, infinity, T(1e10), T(1e30), T(3),
                      T(20), T(88), T(100), T(700), T(745)})
      for (const T s : {v, -v}) x.push_back(s);
    x.push_back(std::numeric_limits<T>::quiet_NaN());
  }
  return x;
}

struct Function {
  Opcode opcode;
  long double (*reference)(long double);
  double low, high;
  double limit32 = 2, limit64 = 4;  ///< ulp
};

// In long double, rounded: half an ulp of a double beside its own.
long double digamma(long double x) { return dlvm::evaluation::digamma(static_cast<double>(x)); }
long double gelu_tanh_odds(long double x) { return dlvm::evaluation::gelu_tanh_odds(static_cast<double>(x)); }
long double normal_cdf(long double x) { return dlvm::evaluation::normal_cdf(static_cast<double>(x)); }

const Function functions[] = {
    {Opcode::exp, [](long double x) { return std::exp(x); }, -110, 110},
    {Opcode::expm1, [](long double x) { return std::expm1(x); }, -5, 5},
    {Opcode::log, [](long double x) { return std::log(x); }, 0, 10},
    {Opcode::log1p, [](long double x) { return std::log1p(x); }, -1, 3},
    {Opcode::sin, [](long double x) { return std::sin(x); }, -100, 100},
    {Opcode::cos, [](long double x) { return std::cos(x); }, -100, 100},
    {Opcode::tan, [](long double x) { return std::tan(x); }, -100, 100},
    {Opcode::asin, [](long double x) { return std::asin(x); }, -1, 1},
    {Opcode::acos, [](long double x) { return std::acos(x); }, -1, 1},
    {Opcode::atan, [](long double x) { return std::atan(x); }, -10, 10},
    {Opcode::sinh, [](long double x) { return std::sinh(x); }, -20, 20},
    {Opcode::cosh, [](long double x) { return std::cosh(x); }, -20, 20},
    {Opcode::tanh, [](long double x) { return std::tanh(x); }, -5, 5, 3},
    {Opcode::asinh, [](long double x) { return std::asinh(x); }, -20, 20},
    {Opcode::acosh, [](long double x) { return std::acosh(x); }, 0.5, 20},
    {Opcode::atanh, [](long double x) { return std::atanh(x); }, -1, 1},
    {Opcode::erf, [](long double x) { return std::erf(x); }, -4, 4},
    {Opcode::erfc, [](long double x) { return std::erfc(x); }, -4, 10},
    {Opcode::normalCdf, normal_cdf, -13, 6, 3.5},
    {Opcode::geluTanhOdds, gelu_tanh_odds, -22, 21},
    {Opcode::lgamma, [](long double x) { return std::lgamma(x); }, -12, 12},
    {Opcode::digamma, digamma, -12, 12},
    {Opcode::sqrt, [](long double x) { return std::sqrt(x); }, 0, 9, 0.51, 0.51},
    {Opcode::round, [](long double x) { return std::round(x); }, -9, 9, 0, 0},
    {Opcode::rint, [](long double x) { return std::nearbyint(x); }, -9, 9, 0, 0},
    {Opcode::floor, [](long double x) { return std::floor(x); }, -9, 9, 0, 0},
    {Opcode::ceil, [](long double x) { return std::ceil(x); }, -9, 9, 0, 0},
};

template <typename T>
void check(const Function& f, ElementType type, const std::string& cpu) {
  const test::CompiledKernel kernel(elementwise(f.opcode, type, 1), {"N"}, {}, cpu);
  auto x = arguments<T>(f.low, f.high, true, 7);
  std::vector<T> y(x.size(), T(-7));
  std::vector<long double> references;
  for (const T v : x) references.push_back(f.reference(v));
  kernel.run({x.data(), y.data()}, {static_cast<std::int64_t>(x.size())});
  T at = 0;
  const double error = worst(y, references, x, at);
  INFO(dlvm::definition(f.opcode).name, " ", dlvm::info(type).name, " ", cpu, " at ", static_cast<double>(at),
       " error ", error, " ulp");
  CHECK(error <= (sizeof(T) == 4 ? f.limit32 : f.limit64));
}

}  // namespace

TEST_CASE("functions of one argument are accurate") {
  for (const char* cpu : {"native", "x86-64-v3", "x86-64"})
    for (const Function& f : functions) {
      check<float>(f, ElementType::f32, cpu);
      check<double>(f, ElementType::f64, cpu);
    }
}

// Rare arguments take another path with their whole vector. Exponentials are most likely to differ between
// the two where the reduced argument changes its sign, at odd multiples of ln 2 / 2.
TEST_CASE("an element's bits do not depend on the elements beside it") {
  std::vector<float> x, crowded;
  for (int k = -120; k < 120; ++k) {
    float v = static_cast<float>((k + 0.5) * std::numbers::ln2);
    for (int i = 0; i < 3; ++i) v = std::nextafter(v, -INFINITY);
    for (int i = 0; i < 7; ++i, v = std::nextafter(v, INFINITY))
      if (std::fabs(v) < 80) x.push_back(v);
  }
  for (const float v : x)
    for (const float other : {v, 1000.0f, -1000.0f, NAN, -2.6f, 0.0f}) crowded.push_back(other);
  for (const Function& f : functions) {
    const test::CompiledKernel kernel(elementwise(f.opcode, ElementType::f32, 1), {"N"}, {}, "native");
    std::vector<float> alone(x.size()), among(crowded.size());
    kernel.run({x.data(), alone.data()}, {static_cast<std::int64_t>(x.size())});
    kernel.run({crowded.data(), among.data()}, {static_cast<std::int64_t>(crowded.size())});
    for (std::size_t i = 0; i < x.size(); ++i) {
      INFO(dlvm::definition(f.opcode).name, " at ", x[i]);
      CHECK((alone[i] == among[6 * i] || (std::isnan(alone[i]) && std::isnan(among[6 * i]))));
    }
  }
}
