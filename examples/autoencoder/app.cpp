// Trains the network of autoencoder.tel and draws pictures with it.
//   ./autoencoder [--data DIR] [--epochs N]
// DIR holds MNIST-format files; without it the digits are drawn.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <numbers>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../shared/dataset.hpp"
#include "../shared/png.hpp"
#include "autoencoder.hpp"

namespace {

constexpr std::size_t batch = 50, code_size = 12;

/// In nats for each picture.
struct Loss {
  double difference = 0, information = 0;
  double sum() const { return difference + information; }
};

/// One pass over the training set in a random order. Each step has a seed of its own, from which its noise is
/// drawn.
Loss train(autoencoder::Parameters& parameters, autoencoder::State& state, tel::Workspace& workspace,
           const Digits& set, std::size_t steps, Random& random) {
  const std::vector<std::size_t> order = shuffled(set.size(), random);
  const std::size_t count = set.size() / batch;
  const std::vector<float> no_codes;
  Digits part;
  Loss loss;
  for (std::size_t i = 0; i < count; ++i) {
    pick(set, &order[i * batch], batch, part);
    const autoencoder::StepInputs inputs{
        .x = {part.images, batch}, .code = {no_codes, 0}, .steps = float(steps)};
    const auto result = autoencoder::step(inputs, parameters, state, workspace, {.seed = random.next()});
    loss.difference += double(result.difference) / double(count);
    loss.information += double(result.information) / double(count);
  }
  return loss;
}

Loss evaluate(const autoencoder::Parameters& parameters, const Digits& set) {
  const std::vector<float> no_codes;
  const auto result =
      autoencoder::evaluate({.x = {set.images, set.size()}, .code = {no_codes, 0}}, parameters);
  return {double(result.difference), double(result.information)};
}

/// `count` codes of numbers that are normally distributed.
std::vector<float> random_codes(std::size_t count, Random& random) {
  std::vector<float> codes(count * code_size);
  for (float& number : codes)
    number = float(std::sqrt(-2 * std::log(random.uniform(1e-12, 1))) *
                   std::cos(random.uniform(0, 2 * std::numbers::pi)));
  return codes;
}

/// The code of the first picture of that digit.
std::vector<float> code_of(std::int32_t digit, const autoencoder::Parameters& parameters, const Digits& set) {
  const auto at = std::ranges::find(set.labels, digit) - set.labels.begin();
  if (std::size_t(at) == set.size()) throw std::runtime_error("there is no " + std::to_string(digit));
  const std::vector<float> no_codes;
  const tel::View<const float, tel::dynamic, Digits::pixels> picture(
      &set.images[std::size_t(at) * Digits::pixels], 1);
  const auto read = autoencoder::forward({.x = picture, .code = {no_codes, 0}}, parameters);
  return {read.mu.begin(), read.mu.end()};
}

/// Draws, from top to bottom: two rows of digits, each with what is read out of their codes below; four rows
/// of random codes as pictures; and three rows that lead from the code of one digit to that of another.
void draw_pictures(const autoencoder::Parameters& parameters, const Digits& set) {
  constexpr std::size_t columns = 12, rows = 4 + 4 + 3, scale = 2, cell = Digits::side * scale + 4, gap = 12;
  Grey picture(columns * cell + 4, rows * cell + 2 * gap + 4, 0.5f);
  const auto put = [&](const float* image, std::size_t row, std::size_t column) {
    const std::size_t gaps = row < 4 ? 0 : row < 8 ? 1 : 2;
    picture.put(image, Digits::side, Digits::side, 4 + column * cell, 4 + row * cell + gaps * gap, scale);
  };

  Random random(5);
  std::vector<float> codes = random_codes(4 * columns, random);
  const std::vector<float> no_codes;
  const tel::View<const float, tel::dynamic, Digits::pixels> shown(set.images.data(), 2 * columns);
  const auto read = autoencoder::forward({.x = shown, .code = {no_codes, 0}}, parameters);
  for (const auto& [from, to] : {std::pair{1, 7}, {2, 0}, {6, 4}}) {
    const std::vector<float> first = code_of(from, parameters, set), last = code_of(to, parameters, set);
    for (std::size_t column = 0; column < columns; ++column) {
      const float part = float(column) / float(columns - 1);
      for (std::size_t k = 0; k < code_size; ++k) codes.push_back((1 - part) * first[k] + part * last[k]);
    }
  }
  const std::size_t count = codes.size() / code_size;
  const auto drawn = autoencoder::forward({.x = {no_codes, 0}, .code = {codes, count}}, parameters);

  for (std::size_t i = 0; i < 2 * columns; ++i) {
    put(&set.images[i * Digits::pixels], i / columns * 2, i % columns);
    put(read.reconstruction[i].data(), i / columns * 2 + 1, i % columns);
  }
  for (std::size_t i = 0; i < count; ++i) put(drawn.picture[i].data(), 4 + i / columns, i % columns);
  write_png(picture, "autoencoder.png");
}

int run(const char* folder, std::size_t epochs) {
  const Dataset data = folder != nullptr ? load(folder) : draw();
  std::printf("digits: %s; %zu to train, %zu to test\n", data.source.c_str(), data.train.size(),
              data.test.size());
  if (data.train.size() < batch || data.test.size() < 24) throw std::runtime_error("too few digits");

  autoencoder::Parameters parameters(1);
  autoencoder::State state;
  tel::Workspace workspace(autoencoder::step_workspace(batch, 0));
  Random random(7);
  const std::size_t steps = epochs * (data.train.size() / batch);
  const Loss before = evaluate(parameters, data.test);
  std::printf("before: test digits differ by %.1f nats\n", before.difference);
  Loss after;
  double seconds = 0;
  for (std::size_t epoch = 1; epoch <= epochs; ++epoch) {
    const auto start = std::chrono::steady_clock::now();
    const Loss loss = train(parameters, state, workspace, data.train, steps, random);
    seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    after = evaluate(parameters, data.test);
    std::printf(
        "epoch %2zu: loss %.1f nats, difference %.1f + information %.1f; test digits %.1f + %.1f, %.1f s\n",
        epoch, loss.sum(), loss.difference, loss.information, after.difference, after.information, seconds);
    std::fflush(stdout);
  }
  parameters.save("autoencoder.safetensors");
  draw_pictures(parameters, data.test);
  std::printf(
      "autoencoder.png has digits and what is read out of their codes, and pictures of random codes\n");
  return after.sum() < before.sum() / 2 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  const char* folder = nullptr;
  std::size_t epochs = 20;
  for (int i = 1; i < argc; ++i) {
    const std::string_view option = argv[i];
    if (option == "--data" && i + 1 < argc) {
      folder = argv[++i];
    } else if (option == "--epochs" && i + 1 < argc && std::atoi(argv[i + 1]) > 0) {
      epochs = static_cast<std::size_t>(std::atoi(argv[++i]));
    } else {
      std::fprintf(stderr, "usage: autoencoder [--data DIR] [--epochs N]\n");
      return 2;
    }
  }
  try {
    return run(folder, epochs);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "autoencoder: %s\n", error.what());
    return 1;
  }
}
