#include "tests/support/mutation.h"

#include <algorithm>
#include <cctype>
#include <iterator>

namespace test {
namespace {

/// A text's words, numbers, names and characters, with what separates them.
std::vector<std::string> tokens_of(const std::string& text) {
  std::vector<std::string> tokens;
  const auto is_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at + 1;
    if (is_word(text[at]) || text[at] == '$' || text[at] == '%' || text[at] == '@')
      while (end < text.size() && is_word(text[end])) ++end;
    tokens.push_back(text.substr(at, end - at));
    at = end;
  }
  return tokens;
}

/// Tokens of one kind can stand in each other's place: numbers, words, and each kind of names.
char kind_of(const std::string& token) {
  const auto first = static_cast<unsigned char>(token[0]);
  return std::isdigit(first) ? '0' : std::isalpha(first) ? 'a' : token[0];
}

/// Where the lines of the text begin, and its end.
std::vector<std::size_t> line_starts(const std::string& text) {
  std::vector<std::size_t> starts{0};
  for (std::size_t at = 0; at < text.size(); ++at)
    if (text[at] == '\n') starts.push_back(at + 1);
  if (starts.back() != text.size()) starts.push_back(text.size());
  return starts;
}

}  // namespace

std::string Mutation::of(const std::string& text) {
  std::vector<std::string> tokens = tokens_of(text);
  for (std::size_t count = 1 + below(3); count > 0 && !tokens.empty(); --count) change(tokens);
  std::string result;
  for (const std::string& token : tokens) result += token;
  return result;
}

void Mutation::change(std::vector<std::string>& tokens) {
  const auto at = tokens.begin() + static_cast<std::ptrdiff_t>(below(tokens.size()));
  switch (below(9)) {
    case 0:
      tokens.erase(at);
      return;
    case 1:
      tokens.insert(at, std::string(pick(tokens)));
      return;
    case 2:
      return copy_line(tokens, static_cast<std::size_t>(at - tokens.begin()));
    case 3:
      if (kind_of(*at) == 'a') *at = pick(vocabulary_.words);
      if (kind_of(*at) == '0') *at = pick(vocabulary_.numbers);
      return;
    case 4:
      return std::swap(*at, tokens[below(tokens.size())]);
    default:
      return replace_by_alike(tokens, *at);
  }
}

/// Puts another token of the text that is of the same kind there.
void Mutation::replace_by_alike(const std::vector<std::string>& tokens, std::string& token) {
  const auto is_alike = [&](const std::string& other) {
    return kind_of(other) == kind_of(token) && other != token && other != " ";
  };
  std::vector<std::string> alike;
  std::copy_if(tokens.begin(), tokens.end(), std::back_inserter(alike), is_alike);
  if (!alike.empty()) token = pick(alike);
}

/// Copies the line around `at` to behind itself, or removes it.
void Mutation::copy_line(std::vector<std::string>& tokens, std::size_t at) {
  const auto middle = tokens.begin() + static_cast<std::ptrdiff_t>(at);
  const auto begin = std::find(std::reverse_iterator(middle), tokens.rend(), "\n").base();
  const auto end = std::find(middle, tokens.end(), "\n");
  if (end == tokens.end()) return;
  const std::vector<std::string> line(begin, end + 1);
  if (below(2) == 0)
    tokens.erase(begin, end + 1);
  else
    tokens.insert(end + 1, line.begin(), line.end());
}

std::string Mutation::spliced(const std::string& text, const std::string& other) {
  const auto places = line_starts(text), lines = line_starts(other);
  const std::size_t at = pick(places), from = below(lines.size());
  if (below(2) == 0) return text.substr(0, at) + other.substr(lines[from]);
  const std::size_t to = std::min(from + 1 + below(4), lines.size() - 1);
  const std::string part = to > from ? other.substr(lines[from], lines[to] - lines[from]) : "";
  return text.substr(0, at) + part + text.substr(at);
}

std::string Mutation::with_noise(std::string text) {
  for (std::size_t count = 1 + below(3); count > 0 && !text.empty(); --count) {
    constexpr std::string_view signs = "()[]{}:=,.;'\"^|>*/+-@#!&?~`\\\n\t _x0eT";
    const std::size_t at = below(text.size());
    const char byte = below(4) == 0 ? static_cast<char>(below(256)) : pick(signs);
    const std::size_t kind = below(3);
    if (kind == 0) text.erase(at, 1 + below(3));
    if (kind == 1) text.insert(at, 1, byte);
    if (kind == 2) text[at] = byte;
  }
  return text;
}

}  // namespace test
