#include "frontend/python/einsum.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <vector>

namespace frontend::python {
namespace {

constexpr std::size_t longest = 300;

bool is_space(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }
bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }
bool is_of_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

std::string without_spaces(std::string_view text) {
  std::string result;
  std::ranges::copy_if(text, std::back_inserter(result), [](char c) { return !is_space(c); });
  return result;
}

/// The parts between the commas that stand in no bracket, up to the parenthesis that closes the call. None
/// where there is no such parenthesis.
std::vector<std::string_view> operands(std::string_view text) {
  std::vector<std::string_view> parts;
  std::size_t depth = 0, begin = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool closes = c == ')' || c == ']';
    if (depth == 0 && (c == ',' || closes)) {
      if (const auto part = trimmed(text.substr(begin, i - begin)); !part.empty()) parts.push_back(part);
      begin = i + 1;
      if (closes) return parts;
    }
    if (c == '(' || c == '[') ++depth;
    if (closes) --depth;
  }
  return {};
}

/// Of `ij,jk->ik` the letters of the operands and of the result, which may be left out.
struct Letters {
  std::vector<std::string> operands;
  std::string result;
};

bool are_letters(std::string_view text) { return std::ranges::all_of(text, is_letter); }

bool read(std::string_view equation, Letters& letters) {
  const std::size_t arrow = equation.find("->");
  std::map<char, int> counts;
  std::string one;
  for (const char c : std::string(equation.substr(0, arrow)) + ",") {
    if (c != ',') {
      one += c;
      ++counts[c];
      continue;
    }
    if (one.empty() || !are_letters(one)) return false;
    letters.operands.push_back(std::exchange(one, {}));
  }
  if (arrow != std::string_view::npos) {
    letters.result = equation.substr(arrow + 2);
  } else {
    for (const auto& [letter, count] : counts)
      if (count == 1) letters.result += letter;
  }
  return are_letters(letters.result) &&
         std::ranges::all_of(letters.result, [&](char c) { return counts.contains(c); });
}

std::string listed(std::string_view letters) { return fmt::format("{}", fmt::join(letters, ", ")); }

std::string access(std::string_view operand, std::string_view letters) {
  const bool name = std::ranges::all_of(operand, is_of_name);
  return fmt::format("{}[{}]", name ? std::string(operand) : fmt::format("({})", operand), listed(letters));
}

/// The name at the beginning of the line, if `:` or `=` follows.
std::string_view declared_in_line(std::string_view before) {
  const std::size_t line = before.rfind('\n');
  std::string_view text = trimmed(before.substr(line == std::string_view::npos ? 0 : line + 1));
  std::size_t end = 0;
  while (end < text.size() && is_of_name(text[end])) ++end;
  const std::string_view rest = trimmed(text.substr(end));
  return end > 0 && (rest.starts_with(':') || rest.starts_with('=')) ? text.substr(0, end) : "y";
}

}  // namespace

std::string equation_of_einsum(std::string_view text, std::size_t quote) {
  std::string_view before = trimmed(text.substr(0, quote));
  if (!before.ends_with('(')) return "";
  before.remove_suffix(1);
  if (!trimmed(before).ends_with("einsum")) return "";
  const std::size_t end = text.find_first_of("'\"\n", quote + 1);
  if (end == std::string_view::npos || text[end] != text[quote]) return "";
  Letters letters;
  if (!read(without_spaces(text.substr(quote + 1, end - quote - 1)), letters)) return "";
  const auto values = operands(text.substr(end + 1, longest));
  if (values.size() != letters.operands.size()) return "";

  std::string product, summed;
  for (std::size_t i = 0; i < values.size(); ++i) {
    product += (i > 0 ? " * " : "") + access(values[i], letters.operands[i]);
    for (const char c : letters.operands[i])
      if (letters.result.find(c) == std::string::npos && summed.find(c) == std::string::npos) summed += c;
  }
  const std::string left = letters.result.empty() ? "" : fmt::format("[{}]", listed(letters.result));
  return fmt::format("{}{} = {}", declared_in_line(before), left,
                     summed.empty() ? product : fmt::format("sum({} for {})", product, listed(summed)));
}

}  // namespace frontend::python
