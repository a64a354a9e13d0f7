// Trains a network with weights of three bits, and the same network without that, whose weights are rounded
// afterwards.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <random>
#include <vector>

#include "quantized.hpp"

namespace {

constexpr std::size_t batch = 64, batches = 24, epochs = 150;
/// Weights of -1, -1/2, 0, 1/2 and 1 times the largest one; and weights that are as good as not rounded.
constexpr float few_steps = 2, many_steps = 1e6F;

/// Points of three spirals in random order.
struct Spirals {
  std::vector<float> points;
  std::vector<std::int32_t> labels;

  explicit Spirals(std::size_t count) {
    std::mt19937 random(1);
    for (std::size_t i = 0; i < count; ++i) {
      const auto spiral = static_cast<std::int32_t>(random() % 3);
      const double along = double(random() % 1000) / 1000, angle = 4 * along + 2.0944 * spiral;
      points.push_back(float(along * std::cos(angle)));
      points.push_back(float(along * std::sin(angle)));
      labels.push_back(spiral);
    }
  }
};

quantized::Parameters trained(const Spirals& data, float steps) {
  quantized::Parameters parameters(1);
  quantized::State state;
  tel::Workspace workspace(quantized::step_workspace(batch));
  for (std::size_t step = 0; step < epochs * batches; ++step) {
    const std::size_t first = step % batches * batch;
    quantized::step(
        {.x = {&data.points[2 * first], batch}, .label = {&data.labels[first], batch}, .steps = steps},
        parameters, state, workspace);
  }
  return parameters;
}

/// Returns how many percent of the points the network puts on the right spiral.
double accuracy(const quantized::Parameters& parameters, const Spirals& data, float steps) {
  const std::size_t count = data.labels.size();
  const auto result = quantized::forward({.x = {data.points.data(), count}, .steps = steps}, parameters);
  std::size_t right = 0;
  for (std::size_t i = 0; i < count; ++i) {
    std::int32_t best = 0;
    for (std::int32_t k = 1; k < 3; ++k)
      if (result.y(i, k) > result.y(i, best)) best = k;
    right += best == data.labels[i];
  }
  return 100 * double(right) / double(count);
}

}  // namespace

int main() {
  const Spirals data(batch * batches);
  const quantized::Parameters plain = trained(data, many_steps), rounded = trained(data, few_steps);
  const double before = accuracy(plain, data, many_steps), after = accuracy(plain, data, few_steps),
               aware = accuracy(rounded, data, few_steps);
  std::printf("trained without rounding: %.1f %% of the points are on the right spiral\n", before);
  std::printf("its weights rounded to halves of the largest: %.1f %%\n", after);
  std::printf("trained with that rounding: %.1f %%\n", aware);
  return before > 95 && after < 80 && aware > 90 ? 0 : 1;
}
