#include "frontend/parse/separators.h"

namespace frontend::syntax {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

bool is_extent_tail(std::string_view text) {
  std::size_t i = 0;
  while (i < text.size()) {
    if (text[i] != 'x' || i + 1 == text.size() || !is_digit(text[i + 1])) return false;
    ++i;
    while (i < text.size() && is_digit(text[i])) ++i;
  }
  return !text.empty();
}

std::string separated(std::string_view text) {
  std::string result;
  std::size_t first = 0;  // of the extent
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool behind_digit = i > first && is_digit(text[i - 1]);
    const bool behind_name = i == first + 1 || (i > first && (text[i - 1] < 'a' || text[i - 1] > 'z'));
    const bool before_digit = i + 1 < text.size() && is_digit(text[i + 1]);
    if (text[i] != 'x' || i + 1 == text.size() || !(behind_digit || (behind_name && before_digit))) continue;
    result += std::string(text.substr(first, i - first)) + " x ";
    first = i + 1;
  }
  return result + std::string(text.substr(first));
}

}  // namespace frontend::syntax
