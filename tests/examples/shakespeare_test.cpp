// The network of examples/shakespeare, called for whole texts side by side and for one character after the
// other: the state carries all that was read.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <vector>

#include "shakespeare.hpp"

int main() {
  constexpr std::size_t length = 20, texts = 2;
  std::vector<std::int32_t> both;
  for (std::size_t i = 0; i < length * texts; ++i) both.push_back(static_cast<std::int32_t>(i * 37 % 96));
  const shakespeare::Parameters parameters(3);
  shakespeare::State at_once;
  const auto [expected] = shakespeare::forward({.text = {both, length, texts}}, parameters, at_once);

  for (std::size_t text = 0; text < texts; ++text) {
    shakespeare::State carried;
    for (std::size_t t = 0; t < length; ++t) {
      const auto [y] = shakespeare::forward({.text = {&both[t * texts + text], 1, 1}}, parameters, carried);
      if (t + 1 < length) continue;
      double sum = 0;
      for (std::size_t i = 0; i < y.size(); ++i) {
        sum += double(y(0, i));
        if (std::abs(y(0, i) - expected(text, i)) > 1e-5f * expected(text, i)) {
          std::printf("text %zu, symbol %zu: %g, and %g at once\n", text, i, double(y(0, i)),
                      double(expected(text, i)));
          return 1;
        }
      }
      if (std::abs(sum - 1) > 1e-5) return std::printf("probabilities come to %g\n", sum), 1;
    }
    for (std::size_t i = 0; i < carried.memory.extent(1); ++i)
      if (std::abs(carried.memory(0, i) - at_once.memory(text, i)) > 1e-5f)
        return std::printf("memory %zu of text %zu differs\n", i, text), 1;
  }
  std::printf("one character after the other as at once\n");
}
