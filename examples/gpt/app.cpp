// Trains the network of learning.tel on a text, and lets it write with writing.tel.
//   ./gpt TEXT [--steps N] [--write CHARACTERS] [--prompt WORDS]
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
#include "learning.hpp"
#include "writing.hpp"

namespace {

constexpr std::size_t texts = 8, length = 64;

/// Parts of a text, each of `length` characters, and the characters that follow them.
struct Parts {
  std::vector<Symbol> text, next;
  std::size_t count = 0;

  void add(std::span<const Symbol> from, std::size_t position) {
    const auto first = from.begin() + std::ptrdiff_t(position);
    text.insert(text.end(), first, first + length);
    next.insert(next.end(), first + 1, first + 1 + length);
    ++count;
  }
};

/// The mean bits for each character, of up to 200 parts of the text that are spread evenly over it.
double measure(const learning::Parameters& parameters, std::span<const Symbol> text) {
  const std::size_t apart = std::max<std::size_t>(length, text.size() / 200);
  Parts parts;
  for (std::size_t at = 0; at + length < text.size(); at += apart) parts.add(text, at);
  return double(
      learning::evaluate(
          {.text = {parts.text, parts.count, length}, .next = {parts.next, parts.count, length}}, parameters)
          .bits);
}

void train(learning::Parameters& parameters, std::span<const Symbol> text, std::span<const Symbol> held_out,
           std::size_t steps) {
  learning::State state;
  tel::Workspace workspace(learning::step_workspace(texts, length));
  std::mt19937 random(1);
  const std::size_t every = std::max<std::size_t>(steps / 5, 1);
  double bits = 0;
  const auto start = std::chrono::steady_clock::now();
  for (std::size_t step = 1; step <= steps; ++step) {
    Parts parts;
    while (parts.count < texts) parts.add(text, random() % (text.size() - length));
    const learning::StepInputs inputs{
        .text = {parts.text, texts, length}, .next = {parts.next, texts, length}, .steps = float(steps)};
    bits += double(learning::step(inputs, parameters, state, workspace).bits) / double(every);
    if (step % every == 0) {
      const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
      std::printf("step %4zu: %.3f bits per character, held-out %.3f, %.1f s\n", step, bits,
                  measure(parameters, held_out), passed.count());
      std::fflush(stdout);
      bits = 0;
    }
  }
}

/// Reads a text character by character. What it has computed of the last `length` characters is in its state.
class Reader {
 public:
  using Probabilities = tel::View<const float, symbols>;

  explicit Reader(const writing::Parameters& parameters)
      : parameters_(parameters), workspace_(writing::forward_workspace()) {}

  /// The probabilities of the character that follows. They hold until the next call.
  Probabilities read(Symbol symbol) {
    return writing::forward({.symbol = symbol}, parameters_, state_, workspace_).y;
  }

 private:
  const writing::Parameters& parameters_;
  writing::State state_;
  tel::Workspace workspace_;
};

void write(const writing::Parameters& parameters, const Settings& settings) {
  Reader reader(parameters);
  std::mt19937 random(1);
  const auto start = std::chrono::steady_clock::now();
  const std::string text = go_on(settings.prompt, settings.write,
                                 [&](Symbol symbol) { return draw(reader.read(symbol), random); });
  const std::chrono::duration<double, std::micro> passed = std::chrono::steady_clock::now() - start;
  std::printf("\n%s\n\n%.0f us for each character\n", text.c_str(), passed.count() / double(text.size()));
}

/// By how much the bits of a text, read character by character, differ from those of learning.tel, which
/// reads it at once.
double difference(const learning::Parameters& parameters, const writing::Parameters& same,
                  std::span<const Symbol> text) {
  Parts part;
  part.add(text, 0);
  Reader reader(same);
  double bits = 0;
  for (std::size_t i = 0; i < length; ++i)
    bits -= std::log2(double(reader.read(part.text[i])(std::size_t(part.next[i])))) / double(length);
  return std::abs(
      bits -
      double(learning::evaluate({.text = {part.text, 1, length}, .next = {part.next, 1, length}}, parameters)
                 .bits));
}

int run(const Settings& settings) {
  const std::vector<Symbol> text = read_text(settings.text);
  const auto [training, held_out] = split(text, length + 1);
  const double pairs = entropy_of_pairs(training);
  learning::Parameters parameters(1);
  std::printf("%zu parameters; entropy of pairs: %.3f bits per character\n", parameters.flat().size(), pairs);
  train(parameters, training, held_out, settings.duration);
  parameters.save("gpt.safetensors");

  const auto same = writing::Parameters::load("gpt.safetensors");
  write(same, settings);
  const double wrong = difference(parameters, same, held_out);
  std::printf("read one by one, %zu characters differ by %.1e bits from those read at once\n", length, wrong);
  const double bits = measure(parameters, held_out);
  std::printf("held-out text: %.3f bits per character, %.3f %s than pairs\n", bits, std::abs(pairs - bits),
              bits < pairs ? "fewer" : "more");
  return bits < pairs && wrong < 1e-4 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  const auto settings = read_settings(argc, argv, "--steps", {.duration = 800, .write = 400});
  if (!settings) return 2;
  try {
    return run(*settings);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "gpt: %s\n", error.what());
    return 1;
  }
}
