// Operators and operands, brackets and conditions.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>

#include "frontend/python/translator.h"

namespace frontend::python {
namespace {

constexpr std::array<std::string_view, 5> operator_words{"not", "and", "or", "as", "along"};
constexpr std::array<std::string_view, 5> ending_words{"then", "else", "if", "lambda", "for"};

/// An operator of more than one character, or one that TEL writes otherwise.
struct Operator {
  std::string_view written, tel;
};
constexpr Operator operators[]{{"==", "=="}, {"!=", "!="}, {"<=", "<="},  {">=", ">="},
                               {"|>", "|>"}, {"**", "^"},  {"&&", "and"}, {"||", "or"},
                               {"&", "and"}, {"|", "or"},  {"~", "not"},  {"!", "not"}};

const Operator* operator_at(std::string_view text) {
  const auto found =
      std::ranges::find_if(operators, [&](const Operator& each) { return text.starts_with(each.written); });
  return found == std::end(operators) ? nullptr : &*found;
}

bool among(std::string_view word, auto& words) { return std::ranges::find(words, word) != std::end(words); }

}  // namespace

/// Operands and operators up to what ends an expression.
std::optional<Value> Translator::sequence() {
  struct Piece {
    std::string text;
    bool operation = false;
  };
  std::vector<Piece> pieces;
  Value only;
  std::size_t operands = 0, operators = 0;
  bool changed = false, texts = false, infinite = false;
  while (true) {
    const std::size_t before = at_;
    skip_space();
    const std::string space(text_.substr(before, at_ - before));
    const char c = peek();
    if (c == '\0' || c == ',' || c == ')' || c == ']' || c == '}' || c == '{' || c == ';' || c == '?' ||
        c == '#')
      break;
    if (c == ':' || (c == '=' && peek(1) != '=')) break;
    if (c == '/' && (peek(1) == '/' || peek(1) == '*')) return std::nullopt;  // a comment of TEL
    const std::string_view here = word();
    if (among(here, ending_words) && !is_digit(c)) {
      if (here == "lambda" || here == "for") return std::nullopt;
      break;
    }
    if (!pieces.empty()) pieces.push_back({space, false});
    if (is_letter(c) && among(here, operator_words)) {
      ++operators;
      pieces.push_back({std::string(here), false});
      at_ += here.size();
      continue;
    }
    if (is_letter(c) || is_digit(c) || c == '(' || c == '[' || c == '"' || c == '\'') {
      const bool is_step = text_.substr(0, at_ - space.size()).ends_with("|>");
      auto operand = chain();
      if (!operand || (is_step && operand->changed)) return std::nullopt;  // a step has one more operand
      ++operands;
      changed = changed || operand->changed;
      texts = texts || operand->quoted;
      infinite = infinite || operand->infinite;
      pieces.push_back({operand->text, operand->operation});
      only = std::move(*operand);
      continue;
    }
    ++operators;
    if (const Operator* known = operator_at(text_.substr(at_)); known != nullptr) {
      const bool word = is_letter(known->tel.front());
      at_ += known->written.size();
      changed = changed || known->written != known->tel;
      if (word && space.empty() && !pieces.empty()) pieces.push_back({" ", false});
      pieces.push_back({std::string(known->tel), false});
      if (word && !is_space(peek())) pieces.push_back({" ", false});
      continue;
    }
    std::size_t length = 1;
    while ((static_cast<unsigned char>(peek(length)) & 0xC0) == 0x80) ++length;
    pieces.push_back({std::string(text_.substr(at_, length)), false});
    at_ += length;
  }
  if (operands == 0) return std::nullopt;
  if (operands == 1 && operators == 0) return only;
  if (texts) return std::nullopt;
  Value value;
  value.operation = true;
  value.changed = changed;
  value.infinite = infinite;
  for (const Piece& piece : pieces) value.text += piece.operation ? "(" + piece.text + ")" : piece.text;
  while (!value.text.empty() && is_space(value.text.back())) value.text.pop_back();
  return value;
}

/// Reads what follows the first operand of `a if c else b`, or of `c ? a : b`.
std::optional<Value> Translator::choice(const Value& first) {
  const bool question = peek() == '?';
  at_ += question ? 1 : 2;
  const auto second = question ? expression() : sequence();
  skip_space();
  const std::string_view separator = question ? ":" : "else";
  if (!second || !text_.substr(at_).starts_with(separator)) return std::nullopt;
  at_ += separator.size();
  const auto no = expression();
  if (!no) return std::nullopt;
  const Value &condition = question ? first : *second, &yes = question ? *second : first;
  Value value{
      fmt::format("if {} then {} else {}", condition.text, yes.text, no->text), true, false, true, false, {}};
  value.infinite = yes.infinite || no->infinite;
  return value;
}

std::optional<Value> Translator::expression() {
  if (++depth_ > deepest) return std::nullopt;
  skip_space();
  std::optional<Value> value;
  const auto take = [&](std::string_view expected) {
    skip_space();
    if (word() != expected) return false;
    at_ += expected.size();
    return true;
  };
  if (word() == "if") {
    at_ += 2;
    const auto condition = sequence();
    if (!condition || !take("then")) return std::nullopt;
    const auto yes = expression();
    if (!yes || !take("else")) return std::nullopt;
    const auto no = expression();
    if (!no) return std::nullopt;
    value = Value{fmt::format("if {} then {} else {}", condition->text, yes->text, no->text),
                  true,
                  false,
                  condition->changed || yes->changed || no->changed,
                  false,
                  {}};
    value->infinite = yes->infinite || no->infinite;
  } else {
    value = sequence();
    skip_space();
    if (value && (word() == "if" || peek() == '?')) value = choice(*value);
    if (!value) return std::nullopt;
  }
  --depth_;
  return value;
}

bool Translator::bracket(Chain& chain, char closer) {
  ++at_;
  const std::size_t begin = at_;
  Value value;
  std::vector<std::string> elements;
  bool commas = false, operation = false;
  while (true) {
    skip_space();
    if (peek() == closer) break;
    const auto element = expression();
    if (!element || element->quoted) return false;
    value.changed = value.changed || element->changed;
    value.infinite = value.infinite || element->infinite;
    operation = element->operation;
    elements.push_back(element->text);
    skip_space();
    if (peek() == ',') {
      commas = true;
      ++at_;
    } else if (peek() != closer) {
      return false;
    }
  }
  const std::string inside(text_.substr(begin, at_ - begin));
  ++at_;
  value.elements = elements;
  value.list = closer == ']' || commas;
  if (closer == ')' && commas) value.changed = true;
  if (closer == ')' && !commas) {
    if (elements.size() != 1) return false;
    value.elements.clear();
    value.text = elements.front();
    value.operation = operation;
  } else {
    value.text = fmt::format("[{}]", fmt::join(elements, ", "));
    if (!value.changed && closer == ']') value.text = "[" + inside + "]";
  }
  chain.value = std::move(value);
  return true;
}

/// Reads a text, and leaves its quotation marks out.
bool Translator::quotation(Chain& chain) {
  const std::size_t begin = at_ + 1, end = text_.find_first_of("'\"\n", begin);
  if (end == std::string_view::npos || text_[end] != text_[at_]) return false;
  chain.value.text = text_.substr(begin, end - begin);
  chain.value.quoted = true;
  at_ = end + 1;
  return true;
}

bool Translator::primary(Chain& chain) {
  const char c = peek();
  if (c == '\'' || c == '"') return quotation(chain);
  if (c == '(') return bracket(chain, ')');
  if (c == '[') return bracket(chain, ']');
  if (is_letter(c)) return name(chain);
  if (!is_digit(c)) return false;
  const std::size_t begin = at_;
  while (is_letter(peek()) || is_digit(peek()) || (peek() == '.' && is_digit(peek(1)))) ++at_;
  chain.value.text = text_.substr(begin, at_ - begin);
  return true;
}

}  // namespace frontend::python
