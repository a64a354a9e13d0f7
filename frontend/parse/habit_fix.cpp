#include "frontend/parse/habit_fix.h"

#include <fmt/format.h>

#include <algorithm>

#include "frontend/ast/ast.h"
#include "frontend/parse/grammar.h"
#include "frontend/parse/line_fix.h"
#include "frontend/parse/place_text.h"
#include "frontend/python/names.h"
#include "frontend/support/other_languages.h"

namespace frontend::syntax {
namespace {

bool is_role(const Token& token) { return token.kind == Grammar::IN || ast::role(token.text).has_value(); }

/// The tokens around the error, and those that are none: before and behind the declaration.
class Around {
 public:
  explicit Around(const Place& place) : place_(place) {}

  const Token& at(std::size_t ahead) const {
    return place_.code[std::min(place_.position + ahead, place_.code.size() - 1)];
  }
  const Token* before(std::size_t distance) const {
    return place_.position >= place_.chunk.first + distance ? &place_.code[place_.position - distance]
                                                            : nullptr;
  }
  bool is_before(std::size_t distance, std::size_t kind) const {
    const Token* token = before(distance);
    return token != nullptr && token->kind == kind;
  }

 private:
  const Place& place_;
};

/// `(a, b) = f(x)`, also behind `let`, and `a, (b, c) = f(x)`.
std::string fix_of_names_in_parentheses(const std::vector<Token>& code, std::size_t position) {
  const auto kind = [&](std::size_t i) { return i < code.size() ? code[i].kind : 0; };
  std::size_t i = position;
  if (!code[position].line_first) return "";
  if (kind(i) != Grammar::LEFT_PARENTHESIS && kind(i + 1) == Grammar::LEFT_PARENTHESIS) ++i;
  std::string names;
  bool any = false, inside = false;
  for (;; ++i) {
    if (kind(i) == Grammar::LEFT_PARENTHESIS && !inside) {
      any = inside = true;
      ++i;
    }
    if (kind(i) != Grammar::NAME) return "";
    names += (names.empty() ? "" : ", ") + std::string(code[i].text);
    if (kind(++i) == Grammar::RIGHT_PARENTHESIS && inside) {
      inside = false;
      ++i;
    }
    if (kind(i) != Grammar::COMMA) break;
  }
  if (!any || inside || kind(i) != Grammar::EQUALS) return "";
  return fmt::format("the names of several results stand without parentheses: {} = ...", names);
}

/// The start of the line of the token at `position`.
std::size_t start_of_line(const std::vector<Token>& code, std::size_t position) {
  while (position > 0 && !code[position].line_first) --position;
  return position;
}

/// `s', t' = f(x)`
std::string fix_of_next_values(const Around& around) {
  std::string names, equations;
  for (std::size_t i = 0;; i += 3) {
    if (around.at(i).kind != Grammar::NAME || around.at(i + 1).kind != Grammar::NEXT) return "";
    names += fmt::format("{}next_{}", names.empty() ? "" : ", ", around.at(i).text);
    equations += fmt::format("{0}{1}' = next_{1}", equations.empty() ? "" : ", ", around.at(i).text);
    if (around.at(i + 2).kind != Grammar::COMMA) break;
  }
  return fmt::format("each state has an equation of its own: {} = ..., then {}", names, equations);
}

/// A line that begins with a name and is no declaration.
std::string fix_of_line(const Place& place) {
  const Around around(place);
  const Token& name = around.at(0);
  if (!name.line_first) return "";
  const std::size_t behind = around.at(2).kind;
  if (around.at(1).kind == Grammar::NAME && !around.at(1).line_first &&
      (behind == Grammar::EQUALS || behind == Grammar::LEFT_BRACKET || behind == Grammar::SEMICOLON ||
       around.at(2).line_first))
    return fix_of_first_words(place.code, place.position);
  if (around.at(1).kind == Grammar::NAME && behind == Grammar::COLON && name.kind == Grammar::ELEMENT_TYPE)
    return fix_of_first_words(place.code, place.position);
  const std::string_view sign = around.at(1).text;
  if (name.kind == Grammar::NAME && (sign == "<" || sign == "==" || sign == "<="))
    return fmt::format("a value is declared with '=': {} = ...", name.text);
  if (name.kind != Grammar::NAME) return "";
  if (around.at(1).kind == Grammar::NEXT && around.at(2).kind == Grammar::COMMA)
    return fix_of_next_values(around);
  if (is_role(around.at(1))) return fix_of_first_words(place.code, place.position);
  if (around.at(1).kind != Grammar::DOT) return "";
  return around.at(3).kind == Grammar::LEFT_PARENTHESIS ? "a call is a part of a declaration: y = f(x)" : "";
}

/// Returns how the type is written where `in Line()` stands behind the colon; empty where something else
/// does.
std::string fix_of_declared_type(const Place& place) {
  const Around around(place);
  if (place.equals || around.at(0).kind != Grammar::LEFT_PARENTHESIS ||
      around.at(1).kind != Grammar::RIGHT_PARENTHESIS || !around.is_before(1, Grammar::NAME) ||
      around.before(1)->line_first || !around.before(2) || !is_role(*around.before(2)))
    return "";
  return fmt::format("a type has no parentheses: {}: {} {}", place.code[place.chunk.first].text,
                     around.before(2)->text, around.before(1)->text);
}

/// Returns the dimension at whose colon the error is, with its value behind `=`.
std::string fix_of_dimension(const Place& place) {
  const std::string value =
      text_between(place, place.position + 1, end_of_part(place, place.position + 1, true));
  // Text with a point is no integer.
  return value.find('.') == std::string::npos
             ? fmt::format("a dimension has its value behind '=': dim {} = {}",
                           place.code[place.position - 1].text, value)
             : "a dimension has its value, which is an integer, behind '='";
}

}  // namespace

std::string fix_of_first_words(const std::vector<Token>& code, std::size_t position) {
  const auto at = [&](std::size_t ahead) -> const Token& {
    return code[std::min(position + ahead, code.size() - 1)];
  };
  if (const std::string fix = fix_of_names_in_parentheses(code, position); !fix.empty()) return fix;
  const Token &first = at(0), &second = at(1);
  if (first.kind == Grammar::LEFT_BRACKET && second.text == "type" && at(2).kind == Grammar::COLON)
    return fmt::format("the element type stands in a line of its own: type {}", at(3).text);
  if (first.kind == Grammar::NAME && is_role(second)) return fmt::format("{}: {}", first.text, second.text);
  const std::string_view type =
      first.kind == Grammar::ELEMENT_TYPE ? first.text : element_type_elsewhere(first.text);
  const bool net = second.text == "net";
  if (type.empty() || (second.kind != Grammar::NAME && !net)) return "";
  if (net) return fmt::format("a net has no element type: net {}() {{ ... }}", at(2).text);
  if (at(2).kind == Grammar::LEFT_PARENTHESIS)
    return fmt::format("a function: func {}(x: [n]) -> {}[n] = ...", second.text, type);
  if (at(2).kind == Grammar::EQUALS)
    return fmt::format("the type stands behind the name: {}: {}{} = ...", second.text,
                       at(3).kind == Grammar::NUMBER && at(4).line_first ? "const " : "hidden ", type);
  return fmt::format("the type stands behind the name and its role: {}: in {}", second.text, type);
}

std::string fix_of_results(const Place& place) {
  return fix_of_names_in_parentheses(place.code, start_of_line(place.code, place.position));
}

std::string fix_of_habit(const Place& place) {
  const Around around(place);
  const Token& token = around.at(0);
  const Token& first = place.code[place.chunk.first];
  if (token.kind == Grammar::COLON && around.at(1).kind == Grammar::COLON && around.before(1) != nullptr)
    return fmt::format("a member is selected by a point: {}.{}", around.before(1)->text, around.at(2).text);
  const bool goes_on = token.text == "as" || token.kind == Grammar::DOT;
  if (first.kind == Grammar::IMPORT && goes_on && python::is_library(around.before(1)->text))
    return "leave the line out: what TEL has of it needs no import";
  if (first.kind == Grammar::IMPORT && token.text == "as")
    return "leave 'as' out: what a file declares is used by its own name, or behind that of the file";
  if (first.kind == Grammar::FUNC && !place.equals && around.is_before(1, Grammar::RIGHT_PARENTHESIS) &&
      (token.kind == Grammar::LEFT_BRACKET || token.kind == Grammar::SHAPE_OPEN))
    return "the type of the result stands behind an arrow: -> [...]";
  if (const std::string fix = fix_of_lambda(place.code, place.position); !fix.empty()) return fix;
  const bool in_list = token.text == "along" && around.at(1).kind == Grammar::COLON &&
                       around.is_before(1, Grammar::RIGHT_BRACKET);
  const bool behind_list = first.text == "along" && !place.equals && around.is_before(1, Grammar::COLON) &&
                           token.kind == Grammar::NUMBER;
  if (in_list || behind_list)
    return fmt::format("the axis along which a list is joined has no colon: along {}",
                       around.at(in_list ? 2 : 0).text);
  if (!place.open.empty()) return "";
  if (const std::string fix = fix_of_declared_type(place); !fix.empty()) return fix;
  if (token.kind == Grammar::COMMA && around.is_before(1, Grammar::NUMBER) &&
      around.at(1).kind == Grammar::NUMBER && around.at(1).begin == token.end)
    return fmt::format("a number has a decimal point: {}.{}", around.before(1)->text, around.at(1).text);
  if (first.kind == Grammar::MODULE && token.kind == Grammar::MINUS)
    return fmt::format("a name consists of letters, digits and _: {}_{}", around.before(1)->text,
                       around.at(1).text);
  if (first.kind == Grammar::IMPORT && token.kind == Grammar::COMMA)
    return fmt::format("each file has an import of its own: import {} import {}", around.before(1)->text,
                       around.at(1).text);
  if (first.kind == Grammar::FUNC && !place.equals && token.kind == Grammar::COLON &&
      (around.is_before(1, Grammar::RIGHT_PARENTHESIS) || around.is_before(1, Grammar::RIGHT_BRACKET)))
    return around.at(1).kind == Grammar::LEFT_BRACKET || around.at(1).kind == Grammar::SHAPE_OPEN
               ? "the type of the result stands behind an arrow: -> [...]"
               : "the body stands in braces, { return ... }, or behind '='";
  if (first.kind == Grammar::DIM && token.kind == Grammar::COLON) return fix_of_dimension(place);
  if (const std::string fix = fix_of_update(place.code, place.position); !fix.empty()) return fix;
  if (const std::string fix = fix_of_results(place); !fix.empty()) return fix;
  if (place.equals && around.is_before(1, Grammar::EQUALS) && is_role(token))
    return fmt::format("a role stands behind a colon: {}: {}", first.text, token.text);
  const bool operand = token.kind == Grammar::NUMBER || token.kind == Grammar::LEFT_PARENTHESIS;
  if (!place.equals && operand && around.is_before(2, Grammar::COLON) && is_role(*around.before(1)))
    return fmt::format("an expression stands behind '=': {}: {} = ...", first.text, around.before(1)->text);
  const bool is_operator = token.kind == Grammar::PLUS || token.kind == Grammar::MINUS ||
                           token.kind == Grammar::STAR || token.kind == Grammar::SLASH ||
                           token.kind == Grammar::BULLET;
  if (!place.equals && is_operator && around.is_before(1, Grammar::NAME) &&
      around.is_before(2, Grammar::COLON))
    return fmt::format("an expression stands behind '=': {} = {} {} ...", first.text, around.before(1)->text,
                       token.text);
  const Token* type = around.before(2);
  if (token.kind == Grammar::NAME && around.is_before(1, Grammar::RIGHT_PARENTHESIS) &&
      around.is_before(3, Grammar::LEFT_PARENTHESIS) && !element_type_elsewhere(type->text).empty())
    return fmt::format("convert it: {} as {}", token.text, element_type_elsewhere(type->text));
  return fix_of_line(place);
}

}  // namespace frontend::syntax
