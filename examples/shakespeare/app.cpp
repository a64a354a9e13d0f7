// Trains the network of shakespeare.tel on a text, and lets it write.
//   ./shakespeare TEXT [--epochs N] [--write CHARACTERS] [--prompt WORDS]
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <exception>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "../shared/text.hpp"
#include "shakespeare.hpp"

namespace {

constexpr std::size_t lanes = 32, length = 64;
/// After how many windows training begins with an empty state again, as a text that is written does.
constexpr std::size_t forgetting = 10;

/// The mean bits for each character of a text that is read from its beginning.
double measure(const shakespeare::Parameters& parameters, std::span<const Symbol> text,
               tel::Workspace& workspace) {
  Windows windows(text, lanes, length);
  shakespeare::State state;
  double bits = 0;
  for (std::size_t window = 0; window < windows.count(); ++window) {
    windows.show(window);
    const shakespeare::EvaluateInputs inputs{.text = {windows.symbols(), length, lanes},
                                             .next = {windows.next(), length, lanes}};
    bits += double(shakespeare::evaluate(inputs, parameters, state, workspace).bits);
  }
  return bits / double(windows.count());
}

/// Trains by windows that follow each other: the state carries what was read before each. Returns the bits
/// for each character of the held-out text.
double train(shakespeare::Parameters& parameters, std::span<const Symbol> text,
             std::span<const Symbol> held_out, std::size_t epochs) {
  Windows windows(text, lanes, length);
  shakespeare::State state;
  tel::Workspace workspace(shakespeare::step_workspace(length, lanes));
  const auto steps = static_cast<float>(epochs * windows.count());
  const auto start = std::chrono::steady_clock::now();
  double measured = 0;
  for (std::size_t epoch = 0; epoch < epochs; ++epoch) {
    double bits = 0;
    for (std::size_t window = 0; window < windows.count(); ++window) {
      if (window % forgetting == 0) {
        std::ranges::fill(state.output, 0.0f);
        std::ranges::fill(state.memory, 0.0f);
      }
      windows.show(window);
      const shakespeare::StepInputs inputs{.text = {windows.symbols(), length, lanes},
                                           .next = {windows.next(), length, lanes},
                                           .steps = steps};
      bits += double(shakespeare::step(inputs, parameters, state, workspace).bits);
    }
    measured = measure(parameters, held_out, workspace);
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
    std::printf("epoch %zu: %.3f bits per character, held-out %.3f, %.1f s\n", epoch + 1,
                bits / double(windows.count()), measured, passed.count());
    std::fflush(stdout);
  }
  return measured;
}

/// Goes on from `prompt`. What has been read is in the state alone, so that each character takes the same
/// time.
std::string written(const shakespeare::Parameters& parameters, const std::string& prompt, std::size_t count) {
  shakespeare::State state;
  tel::Workspace workspace(shakespeare::forward_workspace(1, 1));
  std::mt19937 random(1);
  return go_on(prompt, count, [&](Symbol symbol) {
    const auto y = shakespeare::forward({.text = {&symbol, 1, 1}}, parameters, state, workspace).y;
    return draw([&](std::size_t i) { return y(0, i); }, random);
  });
}

int run(const Settings& settings) {
  const std::vector<Symbol> text = read_text(settings.text);
  const auto [training, held_out] = split(text, lanes * length + 1);
  const double pairs = entropy_of_pairs(training);
  std::printf("%zu characters to train, %zu held out; entropy of pairs: %.3f bits per character\n",
              training.size(), held_out.size(), pairs);

  shakespeare::Parameters parameters(1);
  const double bits = train(parameters, training, held_out, settings.duration);
  parameters.save("shakespeare.safetensors");
  const auto start = std::chrono::steady_clock::now();
  const std::string result = written(parameters, settings.prompt, settings.write);
  const std::chrono::duration<double, std::micro> passed = std::chrono::steady_clock::now() - start;
  std::printf("\n%s\n\n%.0f us for each character\n", result.c_str(),
              passed.count() / double(settings.prompt.size() + settings.write));
  std::printf("held-out text: %.3f bits per character, %.3f %s than pairs\n", bits, std::abs(pairs - bits),
              bits < pairs ? "fewer" : "more");
  return bits < pairs ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  const auto settings = read_settings(argc, argv, "--epochs", {.duration = 3, .write = 500});
  if (!settings) return 2;
  try {
    return run(*settings);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "shakespeare: %s\n", error.what());
    return 1;
  }
}
