#include "dlvm/support/token_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>

namespace dlvm {
namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.'; }

std::vector<Token> tokens(std::string_view text) {
  std::vector<Token> result;
  std::size_t line = 1, i = 0;
  const auto run = [&](std::size_t from) {
    std::size_t end = from;
    while (end < text.size() && is_word(text[end])) ++end;
    return end;
  };
  while (i < text.size()) {
    const char c = text[i];
    if (c == '\n') ++line;
    if (std::isspace(static_cast<unsigned char>(c))) {
      ++i;
      continue;
    }
    if (text.substr(i, 2) == "//") {
      i = std::min(text.find('\n', i), text.size());
      continue;
    }
    Token token{Token::Kind::symbol, std::string(1, c), line};
    std::size_t end = i + 1;
    if (c == '$' || c == '%' || c == '@') {
      end = run(i + 1);
      token = {c == '$'   ? Token::Kind::axis
               : c == '%' ? Token::Kind::scalar
                          : Token::Kind::global,
               std::string(text.substr(i + 1, end - i - 1)), line};
    } else if (c == '"') {
      while (end < text.size() && text[end] != '"' && text[end] != '\n') ++end;
      token = {Token::Kind::word, std::string(text.substr(i + 1, end - i - 1)), line};
      if (end < text.size() && text[end] == '"') ++end;
    } else if (is_word(c)) {
      end = run(i);
      const bool digit = std::isdigit(static_cast<unsigned char>(c));
      if (digit && end < text.size() && (text[end] == '+' || text[end] == '-') && text[end - 1] == 'e')
        end = run(end + 1);
      token = {digit ? Token::Kind::number : Token::Kind::word, std::string(text.substr(i, end - i)), line};
    }
    result.push_back(std::move(token));
    i = end;
  }
  result.push_back({Token::Kind::end, "", line});
  return result;
}

}  // namespace

TokenReader::TokenReader(std::string_view text) : tokens_(tokens(text)) {}

bool TokenReader::at(std::string_view text) const {
  const auto kind = peek().kind;
  return (kind == Token::Kind::word || kind == Token::Kind::symbol) && peek().text == text;
}

void TokenReader::fail(std::string_view expected) {
  if (ok()) fail_with(fmt::format("expected {}, found '{}'", expected, peek().text));
}

void TokenReader::fail_with(std::string_view text) {
  if (ok()) error_ = fmt::format("line {}: {}", peek().line, text);
}

void TokenReader::advance() {
  if (peek().kind != Token::Kind::end) ++next_;
}

bool TokenReader::accept(std::string_view text) {
  if (!ok() || !at(text)) return false;
  advance();
  return true;
}

void TokenReader::symbol(std::string_view text) {
  if (!accept(text)) fail("'" + std::string(text) + "'");
}

std::string TokenReader::take(Token::Kind kind) {
  if (!ok()) return "";
  if (peek().kind == Token::Kind::symbol && peek().text == "\"") advance();
  if (peek().kind != kind) {
    constexpr std::string_view kinds[]{"the end",  "a name",        "a number", "an axis",
                                       "a scalar", "a global name", "a sign"};
    fail(kinds[static_cast<std::size_t>(kind)]);
    return "";
  }
  std::string text = peek().text;
  advance();
  return text;
}

std::int64_t TokenReader::number_of(const std::string& text) {
  std::int64_t value = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (status != std::errc() || end != text.data() + text.size()) fail("an integer");
  return value;
}

}  // namespace dlvm
