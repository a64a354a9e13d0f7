#include "dlvm/support/suggest.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <numeric>
#include <string>
#include <tuple>
#include <vector>

namespace dlvm {
namespace {

/// Insertions, deletions, substitutions and swaps of neighbours that turn one into the other.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), current(b.size() + 1);
  std::iota(last.begin(), last.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    current[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      current[j] = std::min({last[j] + 1, current[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        current[j] = std::min(current[j], before[j - 2] + 1);
    }
    before.swap(last);
    last.swap(current);
  }
  return last[b.size()];
}

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

}  // namespace

std::string_view closest(std::string_view name, std::span<const std::string_view> candidates) {
  constexpr std::size_t longest = 64;
  if (name.size() > longest) return {};
  const std::string lower_name = lower(name);
  std::string_view best;
  // Among equals, letters in another order are likelier than one letter more or less.
  const auto has_other_letters = [&](std::string candidate) {
    return !std::ranges::is_permutation(candidate, lower_name);
  };
  std::tuple best_distance(std::max<std::size_t>(1, name.size() / 3) + 1, false, std::size_t{0});
  for (const std::string_view candidate : candidates) {
    if (candidate.size() > longest || candidate == name) continue;
    const std::size_t d = distance(lower_name, lower(candidate));
    if (d >= std::max(name.size(), candidate.size()) || d > std::get<0>(best_distance)) continue;
    const std::tuple whole(d, has_other_letters(lower(candidate)), distance(name, candidate));
    if (whole < best_distance) best = candidate, best_distance = whole;
  }
  return best;
}

std::string question(std::string_view name, std::span<const std::string_view> candidates,
                     std::string_view sigil) {
  constexpr std::size_t most = 4096;
  const std::string_view near = candidates.size() <= most ? closest(name, candidates) : std::string_view();
  return near.empty() ? "" : fmt::format(": did you mean {}{}?", sigil, near);
}

}  // namespace dlvm
