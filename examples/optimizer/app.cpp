// Trains two networks, a classifier and a curve, with one training loop. Its data it makes itself.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <random>
#include <vector>

#include "curve.hpp"
#include "spiral.hpp"

#include "train.hpp"

namespace {

constexpr std::size_t batch = 64, batches = 24, epochs = 100;

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

/// A sine on a parabola, sampled evenly; 605 has no common divisor with `count`, and takes the samples out of
/// order.
struct Samples {
  std::vector<float> places, values;

  explicit Samples(std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      const double t = -1 + 2 * double(i * 605 % count) / double(count);
      places.push_back(float(t));
      values.push_back(float(std::sin(4 * t) + 0.5 * t * t));
    }
  }
};

double accuracy(const spiral::Parameters& parameters, const Spirals& data) {
  const auto result = spiral::forward({.x = {data.points.data(), data.labels.size()}}, parameters);
  std::size_t right = 0;
  for (std::size_t i = 0; i < data.labels.size(); ++i) {
    std::int32_t best = 0;
    for (std::int32_t k = 1; k < 3; ++k)
      if (result.y(i, k) > result.y(i, best)) best = k;
    right += best == data.labels[i];
  }
  return double(right) / double(data.labels.size());
}

/// Prints the first and the last loss of a training.
auto report(const char* name, auto loss) {
  return [=](std::size_t step, const auto& result) {
    if (step == 0) std::printf("%s: loss %.4f", name, double(result.*loss));
    if (step + 1 == epochs * batches) std::printf(", then %.4f\n", double(result.*loss));
  };
}

}  // namespace

int main() {
  const Spirals spirals(batch * batches);
  spiral::Parameters classifier(1);
  spiral::State classifier_state;
  train<spiral::Network>(
      classifier, classifier_state, epochs * batches, batch,
      [&](std::size_t step) {
        const std::size_t first = step % batches * batch;
        return spiral::StepInputs{.x = {&spirals.points[2 * first], batch},
                                  .label = {&spirals.labels[first], batch}};
      },
      report("spiral", &spiral::StepOutputs::loss));

  const Samples samples(batch * batches);
  curve::Parameters fit(1);
  curve::State fit_state;
  train<curve::Network>(
      fit, fit_state, epochs * batches, batch,
      [&](std::size_t step) {
        const std::size_t first = step % batches * batch;
        return curve::StepInputs{.t = {&samples.places[first], batch},
                                 .target = {&samples.values[first], batch}};
      },
      report("curve", &curve::StepOutputs::error));

  const double right = accuracy(classifier, spirals);
  const float error = curve::evaluate({.t = {samples.places.data(), samples.places.size()},
                                       .target = {samples.values.data(), samples.values.size()}},
                                      fit)
                          .error;
  std::printf("%.1f %% of the points are on the right spiral; the curve's mean squared error is %.5f\n",
              100 * right, double(error));
  return right > 0.95 && error < 0.001f ? 0 : 1;
}
