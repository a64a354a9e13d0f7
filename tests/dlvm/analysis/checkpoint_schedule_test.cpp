#include "dlvm/analysis/checkpoint_schedule.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

namespace dlvm {
namespace {

/// The fewest steps that run forward to run each number of steps backwards, by trying each place of the next
/// checkpoint: `fewest[checkpoints][steps]`.
std::vector<std::vector<std::int64_t>> fewest_forward_steps(std::size_t checkpoints, std::size_t steps) {
  std::vector fewest(checkpoints + 1, std::vector<std::int64_t>(steps + 1));
  for (std::size_t c = 1; c <= checkpoints; ++c)
    for (std::size_t n = 2; n <= steps; ++n) {
      fewest[c][n] = static_cast<std::int64_t>(n * (n - 1) / 2);
      for (std::size_t next = 1; next < n && c > 1; ++next)
        fewest[c][n] = std::min(fewest[c][n],
                                static_cast<std::int64_t>(next) + fewest[c - 1][n - next] + fewest[c][next]);
    }
  return fewest;
}

TEST_CASE("the number of repetitions of a binomial schedule is the least that there is") {
  const auto fewest = fewest_forward_steps(9, 60);
  for (std::int64_t kept = 2; kept <= 10; ++kept)
    for (std::int64_t steps = 1; steps <= 60; ++steps) {
      const std::int64_t forward =
          fewest[static_cast<std::size_t>(kept - 1)][static_cast<std::size_t>(steps)];
      INFO(steps, " steps, ", kept, " states");
      CHECK(mean_repetitions(steps, kept) * static_cast<double>(steps) ==
            doctest::Approx(static_cast<double>(forward + 1)));
    }
}

TEST_CASE("the steps that can be run backwards are binomial coefficients, which saturate") {
  CHECK(reversible_steps(3, 0) == 1);
  CHECK(reversible_steps(1, 4) == 5);
  CHECK(reversible_steps(3, 2) == 10);
  CHECK(reversible_steps(20, 3) == 1771);
  CHECK(reversible_steps(1'000'000, 9) == most_steps);
  CHECK(repetitions(1, 5) == 0);
  CHECK(repetitions(231, 20) == 2);
  CHECK(repetitions(232, 20) == 3);
}

TEST_CASE("checkpoints are an attribute of a function") {
  Function function("f", Type::function({}, Type::tuple({})));
  CHECK_FALSE(checkpoints(function));
  for (const char* wrong : {"inline", "checkpoints", "checkpoints.", "checkpoints.1", "checkpoints.2x"})
    function.attributes.emplace_back(wrong);
  CHECK_FALSE(checkpoints(function));
  set_checkpoints(function, 12);
  CHECK(function.attributes.back() == "checkpoints.12");
  CHECK(checkpoints(function) == 12);
}

}  // namespace
}  // namespace dlvm
