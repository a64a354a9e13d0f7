// Calls with the code for whichever feature level the environment's TEL_CPU_LEVEL names. Prints a hash of the
// initial parameters, and one of the results; or the error of the call.
#include "levels.hpp"

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

#include "check.h"

namespace {

struct Fixture {
  std::size_t rows;
  std::vector<float> x;
  std::vector<std::int32_t> label;
  explicit Fixture(std::size_t count) : rows(count), x(count * 9), label(count) {
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i % 83) / 83 - 0.4f;
    for (std::size_t i = 0; i < rows; ++i) label[i] = static_cast<std::int32_t>(i % 11);
  }
};

using Matrix = std::vector<double>;  // with rows of 19 or 11

/// Returns x • w for rows of `in` and of `out` elements.
template <typename Weights>
Matrix product(const Matrix& x, const Weights& w, std::size_t in, std::size_t out) {
  Matrix y(x.size() / in * out);
  for (std::size_t i = 0; i < x.size() / in; ++i)
    for (std::size_t k = 0; k < in; ++k)
      for (std::size_t j = 0; j < out; ++j) y[i * out + j] += x[i * in + k] * static_cast<double>(w(k, j));
  return y;
}

Matrix expected(const Fixture& f, const levels::Parameters& parameters) {
  const Matrix x(f.x.begin(), f.x.end());
  Matrix h = product(product(x, parameters.A, 9, 19), parameters.Q, 19, 19);
  for (double& element : h) element = std::tanh(element);
  return product(h, parameters.B, 19, 11);
}

class Hash {
 public:
  template <typename Values>
  void add(const Values& values) {
    for (const float value : values) add(value);
  }
  void add(float value) {
    unsigned char bytes[sizeof value];
    std::memcpy(bytes, &value, sizeof value);
    for (const unsigned char byte : bytes) hash_ = (hash_ ^ byte) * 1099511628211u;
  }
  unsigned long long value() const { return hash_; }

 private:
  std::uint64_t hash_ = 1469598103934665609u;
};

void check(const Fixture& f, const levels::Parameters& parameters, Hash& hash) {
  const auto [z] = levels::forward({.x = {f.x, f.rows}}, parameters);
  const Matrix right = expected(f, parameters);
  const std::vector<float> computed(z.begin(), z.end());
  for (std::size_t i = 0; i < right.size(); ++i)
    CHECK(std::abs(static_cast<double>(computed[i]) - right[i]) < 1e-5);
  const auto [packed] = levels::forward({.x = {f.x, f.rows}}, levels::freeze(parameters));
  CHECK(std::vector<float>(packed.begin(), packed.end()) == computed);
  hash.add(computed);
  levels::Gradients gradients;
  hash.add(levels::gradient({.x = {f.x, f.rows}, .label = f.label}, parameters, gradients).L);
  hash.add(gradients.flat());
}

}  // namespace

int main() {
  const levels::Parameters parameters(7);
  const Fixture first(1);
  if (const auto result = levels::try_forward({.x = {first.x, 1}}, parameters); !result) {
    std::puts(result.error().text);
    return 0;
  }
  Hash initial, results;
  initial.add(parameters.flat());
  for (const std::size_t rows : {std::size_t{1}, std::size_t{6}, std::size_t{40}})
    check(Fixture(rows), parameters, results);
  std::printf("%016llx\n%016llx\n", initial.value(), results.value());
}
