// Trains the network of resnet.tel for some steps on pictures of digits, and tells how long a step takes.
//   ./resnet [--data DIR] [--steps N] [--batch N]
// DIR holds MNIST-format files; without it the digits are drawn. The network may have been compiled for
// pictures of any size with any number of channels: the digits are scaled, and every channel is the same.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <exception>
#include <numeric>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "../shared/dataset.hpp"
#include "resnet.hpp"

namespace {

struct Settings {
  const char* folder = nullptr;
  std::size_t steps = 80, batch = 32;
};

/// Pictures of the extents that the network takes.
struct Pictures {
  explicit Pictures(const Digits& set)
      : pixels(set.size() * extents().size()), view(pixels.data(), set.size()) {
    for (std::size_t i = 0; i < set.size(); ++i)
      for (std::size_t channel = 0; channel < view.extent(1); ++channel)
        for (std::size_t row = 0; row < view.extent(2); ++row)
          for (std::size_t column = 0; column < view.extent(3); ++column)
            pixels[((i * view.extent(1) + channel) * view.extent(2) + row) * view.extent(3) + column] =
                set.images[i * Digits::pixels + row * Digits::side / view.extent(2) * Digits::side +
                           column * Digits::side / view.extent(3)];
  }

  /// One picture without pixels.
  static decltype(resnet::StepInputs::x) extents() { return {nullptr, 1}; }

  std::vector<float> pixels;
  decltype(resnet::StepInputs::x) view;
};

/// The share of the first test digits that are read right, by the running means and variances of `state`,
/// which change in training alone.
double test(const resnet::Parameters& parameters, resnet::State& state, const Digits& set,
            std::size_t count) {
  std::vector<std::size_t> positions(std::min(set.size(), count));
  std::iota(positions.begin(), positions.end(), std::size_t{0});
  Digits some;
  pick(set, positions.data(), positions.size(), some);
  const Pictures pictures(some);
  return double(resnet::evaluate({.x = pictures.view, .label = some.labels}, parameters, state).accuracy);
}

int run(const Settings& settings) {
  const Dataset data = settings.folder != nullptr ? load(settings.folder) : draw();
  const auto extents = Pictures::extents();
  std::printf("digits: %s; as pictures of %zu x %zu x %zu\n", data.source.c_str(), extents.extent(1),
              extents.extent(2), extents.extent(3));
  if (data.train.size() < settings.batch) throw std::runtime_error("too few digits");

  resnet::Parameters parameters(1);
  resnet::State state;
  tel::Workspace workspace(resnet::step_workspace(settings.batch));
  std::printf("%zu parameters, %zu MB of workspace for a step\n", parameters.flat().size(),
              workspace.size() >> 20);

  Random random(3);
  std::vector<double> seconds;
  std::vector<std::size_t> order;
  std::size_t at = 0;
  Digits part;
  for (std::size_t step = 0; step < settings.steps; ++step, at += settings.batch) {
    if (at + settings.batch > order.size()) {
      order = shuffled(data.train.size(), random);
      at = 0;
    }
    pick(data.train, &order[at], settings.batch, part);
    const Pictures pictures(part);
    const float rate = 0.02f * (1 - float(step) / float(settings.steps));
    const std::clock_t start = std::clock();
    const auto result =
        resnet::step({.x = pictures.view, .label = part.labels, .rate = rate}, parameters, state, workspace);
    seconds.push_back(double(std::clock() - start) / CLOCKS_PER_SEC);
    if (step % 10 == 0 || step + 1 == settings.steps) {
      std::printf("step %3zu: loss %.4f, %.1f %% right\n", step + 1, double(result.L),
                  100 * double(result.accuracy));
      std::fflush(stdout);
    }
  }
  const double accuracy = test(parameters, state, data.test, 10 * settings.batch);
  std::ranges::sort(seconds);
  std::printf("a step of %zu pictures takes %.0f ms of processor time\n", settings.batch,
              1000 * seconds[seconds.size() / 2]);
  std::printf("%.1f %% of test digits are read right\n", 100 * accuracy);
  return accuracy > 0.5 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  for (int i = 1; i < argc; ++i) {
    const std::string_view option = argv[i];
    const auto number = [&] { return i + 1 < argc ? std::atoi(argv[i + 1]) : 0; };
    if (option == "--data" && i + 1 < argc) {
      settings.folder = argv[++i];
    } else if (option == "--steps" && number() > 0) {
      settings.steps = std::size_t(number());
      ++i;
    } else if (option == "--batch" && number() > 1) {
      settings.batch = std::size_t(number());
      ++i;
    } else {
      std::fprintf(stderr, "usage: resnet [--data DIR] [--steps N] [--batch N], with a batch of 2 or more\n");
      return 2;
    }
  }
  try {
    return run(settings);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "resnet: %s\n", error.what());
    return 1;
  }
}
