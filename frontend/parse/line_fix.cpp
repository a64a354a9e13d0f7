#include "frontend/parse/line_fix.h"

#include <fmt/format.h>

#include <algorithm>

#include "frontend/parse/grammar.h"

namespace frontend::syntax {
namespace {

/// No text of a fix is longer.
constexpr std::ptrdiff_t longest = 80;

std::size_t kind_at(const std::vector<Token>& code, std::size_t i) {
  return i < code.size() ? code[i].kind : antlr4::Token::EOF;
}

bool starts_line(const Token& token) { return token.line_first || token.statement_first; }

std::size_t start_of_line(const std::vector<Token>& code, std::size_t position) {
  while (position > 0 && !starts_line(code[position])) --position;
  return position;
}

/// Returns the position behind the line's last token, in front of a closing bracket or brace of more.
std::size_t end_of_line(const std::vector<Token>& code, std::size_t position) {
  std::size_t depth = 0;
  for (; position < code.size() && code[position].kind != antlr4::Token::EOF; ++position) {
    const std::size_t kind = code[position].kind;
    const bool closes = kind == Grammar::RIGHT_PARENTHESIS || kind == Grammar::RIGHT_BRACKET;
    if (depth == 0 &&
        (closes || kind == Grammar::COMMA || kind == Grammar::RIGHT_BRACE || starts_line(code[position])))
      break;
    if (kind == Grammar::LEFT_PARENTHESIS || kind == Grammar::LEFT_BRACKET || kind == Grammar::SHAPE_OPEN)
      ++depth;
    if (closes) --depth;
  }
  return position;
}

std::string text(const std::vector<Token>& code, std::size_t first, std::size_t last) {
  if (first >= last) return "...";
  const char* from = code[first].text.data();
  const std::string_view end = code[last - 1].text;
  if (from == nullptr || end.data() == nullptr) return "...";
  const std::ptrdiff_t size = end.data() + end.size() - from;
  if (size < 0 || size > longest) return "...";
  const std::string all(from, static_cast<std::size_t>(size));
  return all.find('\n') != std::string::npos ? "..." : all;
}

/// Returns the operator as TEL writes it, and how many tokens it has; 0 if there is none.
std::pair<std::string, std::size_t> operator_at(const std::vector<Token>& code, std::size_t i) {
  if (kind_at(code, i) == Grammar::STAR && kind_at(code, i + 1) == Grammar::STAR) return {"^", 2};
  if (kind_at(code, i) == Grammar::AT) return {"•", 1};
  for (const std::size_t each :
       {Grammar::PLUS, Grammar::MINUS, Grammar::STAR, Grammar::SLASH, Grammar::PERCENT})
    if (kind_at(code, i) == each) return {std::string(code[i].text), 1};
  return {"", 0};
}

}  // namespace

bool declares_state(const std::vector<Token>& code, std::string_view name) {
  bool state = false, variable = false;
  for (std::size_t i = 0; i + 2 < code.size(); ++i) {
    state |= code[i].text == name && code[i + 1].kind == Grammar::COLON && code[i + 2].text == "state";
    variable |= code[i].text == "var" && code[i + 1].text == name;
  }
  return state && !variable;
}

std::string updated_value(const std::vector<Token>& code, std::size_t position) {
  const std::size_t line = start_of_line(code, position);
  if (code[line].kind != Grammar::NAME || line + 2 >= code.size()) return "";
  const auto [written, count] = operator_at(code, line + 1);
  const std::size_t behind = line + 1 + count;
  const bool counts = (written == "+" || written == "-") && code[line + 1].kind == code[line + 2].kind &&
                      end_of_line(code, line + 3) == line + 3;  // `x++`
  if (counts) return fmt::format("{} {} 1", code[line].text, written);
  if (count == 0 || behind >= code.size() || code[behind].kind != Grammar::EQUALS) return "";
  const std::size_t first = behind + 1, last = end_of_line(code, first);
  const bool operand = last == first + 1 || written == "+";
  return fmt::format("{} {} {}{}{}", code[line].text, written, operand ? "" : "(", text(code, first, last),
                     operand ? "" : ")");
}

std::string fix_of_update(const std::vector<Token>& code, std::size_t position) {
  const std::string value = updated_value(code, position);
  if (value.empty()) return "";
  const std::string_view name = code[start_of_line(code, position)].text;
  if (declares_state(code, name)) return fmt::format("the next value of a state: {}' = {}", name, value);
  return fmt::format("a name stands for one value: {}_2 = {}", name, value);
}

std::string fix_of_lambda(const std::vector<Token>& code, std::size_t position) {
  const std::size_t line = start_of_line(code, position);
  std::size_t at = position;
  while (at > line && code[at].text != "lambda") --at;
  if (code[at].text != "lambda") return "";
  std::string parameters;
  std::size_t i = at + 1;
  while (kind_at(code, i) == Grammar::NAME) {
    parameters += fmt::format("{}{}: [s...]", parameters.empty() ? "" : ", ", code[i].text);
    if (kind_at(code, ++i) != Grammar::COMMA) break;
    ++i;
  }
  if (kind_at(code, i) != Grammar::COLON) return "";
  const bool named =
      at == line + 2 && code[line].kind == Grammar::NAME && code[line + 1].kind == Grammar::EQUALS;
  return fmt::format("a function has a name: func {}({}) -> [s...] = {}",
                     named ? std::string(code[line].text) : "f", parameters,
                     text(code, i + 1, end_of_line(code, i + 1)));
}

}  // namespace frontend::syntax
