#include "dlvm/analysis/checkpoint_schedule.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace dlvm {
namespace {

constexpr std::string_view prefix = "checkpoints.";

}  // namespace

// Each factor divides: the product so far is the coefficient of `checkpoints + i - 1` and `i - 1`.
std::int64_t reversible_steps(std::int64_t checkpoints, std::int64_t times) {
  std::int64_t count = 1;
  for (std::int64_t i = 1; i <= times && count < most_steps; ++i) count = count * (checkpoints + i) / i;
  return std::min(count, most_steps);
}

std::int64_t repetitions(std::int64_t steps, std::int64_t checkpoints) {
  std::int64_t times = 0;
  while (reversible_steps(checkpoints, times) < steps) ++times;
  return times;
}

// The number of steps that run forward is that of formula (4) in the paper. One more is the last step, which
// the forward part has run, and which is run again from its checkpoint.
double mean_repetitions(std::int64_t steps, std::int64_t kept) {
  const std::int64_t checkpoints = kept - 1, times = repetitions(steps, checkpoints);
  const std::int64_t forward = times == 0 ? 0 : times * steps - reversible_steps(checkpoints + 1, times - 1);
  return static_cast<double>(forward + 1) / static_cast<double>(steps);
}

void set_checkpoints(Function& function, std::int64_t count) {
  function.attributes.push_back(fmt::format("{}{}", prefix, count));
}

std::optional<std::int64_t> checkpoints(const Function& function) {
  for (const std::string& attribute : function.attributes) {
    if (!attribute.starts_with(prefix)) continue;
    std::int64_t count = 0;
    const char *begin = attribute.data() + prefix.size(), *end = attribute.data() + attribute.size();
    const auto [stop, error] = std::from_chars(begin, end, count);
    if (error == std::errc() && stop == end && count >= 2) return count;
  }
  return std::nullopt;
}

}  // namespace dlvm
