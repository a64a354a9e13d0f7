// The network that examples/heat has trained, heat.safetensors in this folder: its derivatives by place and
// time are those of its own values, and its values are the known solution.
#include <cmath>
#include <cstdio>
#include <numbers>
#include <vector>

#include "heat.hpp"

namespace {

int failures = 0;

void check(double found, double limit, const char* what) {
  const bool holds = found < limit;
  std::printf("%s %s: %.2e, less than %.0e\n", holds ? "ok    " : "FAILED", what, found, limit);
  failures += !holds;
}

using Values = std::vector<double>;

Values temperature(const heat::Parameters& parameters, Values x, Values t, double by_x, double by_t) {
  for (double& each : x) each += by_x;
  for (double& each : t) each += by_t;
  const auto result = heat::forward({.x = x, .t = t}, parameters);
  Values u;
  for (std::size_t i = 0; i < x.size(); ++i) u.push_back(result.u(i));
  return u;
}

}  // namespace

int main() {
  const heat::Parameters parameters = heat::Parameters::load("heat.safetensors");
  Values x, t;
  for (std::size_t i = 0; i <= 40; ++i)
    for (std::size_t k = 0; k <= 40; ++k) {
      x.push_back(double(i) / 40);
      t.push_back(double(k) / 40);
    }
  const auto found = heat::forward({.x = x, .t = t}, parameters);

  // Central differences of the fourth order, over a distance at which rounding and truncation are about 1e-9.
  const double h = 1e-3;
  const auto u = [&](int by_x, int by_t) { return temperature(parameters, x, t, by_x * h, by_t * h); };
  const Values here = u(0, 0), left2 = u(-2, 0), left = u(-1, 0), right = u(1, 0), right2 = u(2, 0),
               before2 = u(0, -2), before = u(0, -1), after = u(0, 1), after2 = u(0, 2);
  double first = 0, second = 0, curved = 0, error = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double by_time = (before2[i] - 8 * before[i] + 8 * after[i] - after2[i]) / (12 * h);
    const double by_place =
        (-left2[i] + 16 * left[i] - 30 * here[i] + 16 * right[i] - right2[i]) / (12 * h * h);
    const double known =
        std::exp(-0.1 * std::pow(std::numbers::pi, 2) * t[i]) * std::sin(std::numbers::pi * x[i]);
    first = std::fmax(first, std::fabs(found.u_t(i) - by_time));
    second = std::fmax(second, std::fabs(found.u_xx(i) - by_place));
    curved = std::fmax(curved, std::fabs(found.u_xx(i)));
    error = std::fmax(error, std::fabs(found.u(i) - known));
  }
  check(first, 1e-6, "u_t is the difference quotient of u");
  check(second, 1e-6, "u_xx is the second difference quotient of u");
  check(error, 1e-2, "u is the known solution");
  check(std::fabs(curved - std::pow(std::numbers::pi, 2)), 1, "the largest u_xx is about pi^2");
  return failures != 0;
}
