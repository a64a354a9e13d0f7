// The states of nets after steps of training, and what is computed with them, as PyTorch's BatchNorm1d has
// them.
#include "states.hpp"

#include <cmath>
#include <cstdio>
#include <vector>

#include "check.h"
#include "unchanged.hpp"

namespace {

constexpr std::size_t count = 24;

std::vector<double> inputs(int step) {
  std::vector<double> x(count);
  for (std::size_t i = 0; i < count; ++i) x[i] = std::sin(0.37 * double(i) + step) * double(1 + i % 5);
  return x;
}

void check_near(double actual, double expected) {
  if (std::abs(actual - expected) > 1e-10) std::fprintf(stderr, "%.17g, not %.17g\n", actual, expected);
  CHECK(std::abs(actual - expected) <= 1e-10);
}

void check_state(const states::State& state) {
  const auto& first = state.stages[0];
  const auto& second = state.stages[1];
  check_near(first.norm.mean[0], 0.10567684661328251);
  check_near(first.norm.mean[1], 0.06152978169980135);
  check_near(first.norm.variance[0], 2.336359122511014);
  check_near(first.norm.variance[1], 1.9634092682148447);
  check_near(second.norm.mean[0], 0.012173720553919704);
  check_near(second.norm.mean[1], 0.0013536678788718362);
  check_near(second.norm.variance[0], 0.8499099218769092);
  check_near(second.norm.variance[1], 0.8489485847364701);
}

void check_forward(const states::Parameters& parameters, states::State& state, int calls) {
  const std::vector<double> x = inputs(3);
  const auto result = states::forward({.x = {x.data(), 4}}, parameters, state);
  const double expected[] = {0.011942060723245775, -0.37378459357888555, -0.7206269692585224,
                             -0.7890581398865995};
  for (std::size_t i = 0; i < 4; ++i) check_near(result.y.data()[i], expected[i]);
  CHECK(state.stages[0].calls.data()[0] == calls);
  CHECK(state.stages[1].calls.data()[0] == calls);
}

/// Outside of training, nothing changes the state: calls take a constant one.
void check_unchanged() {
  const unchanged::Parameters parameters(1);
  const unchanged::State constant(1);
  const std::vector<float> x(24, 2.0f);
  const auto result = unchanged::forward({.x = {x, 4}}, parameters, constant);
  CHECK(std::abs(result.y.data()[0] - 2) < 1e-4f);  // the mean is 0 and the variance 1
  unchanged::evaluate({.x = {x, 4}}, parameters, constant);
  unchanged::State state(1);
  (void)unchanged::gradient({.x = {x, 4}}, parameters, state);
  CHECK(state.steps() == 1 && state.norm.mean[0] != 0);
}

}  // namespace

int main() {
  check_unchanged();
  const states::Parameters parameters(1);
  states::State state(1);
  for (int step = 0; step < 3; ++step) {
    const std::vector<double> x = inputs(step);
    (void)states::gradient({.x = {x.data(), 4}}, parameters, state);
  }
  check_state(state);
  state.save("states.safetensors");
  check_forward(parameters, state, 4);
  check_state(state);
  states::State loaded = states::State::load("states.safetensors");
  check_state(loaded);
  check_forward(parameters, loaded, 4);
}
