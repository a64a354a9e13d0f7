#include "frontend/parse/declared_type_errors.h"

#include <fmt/format.h>

#include "frontend/parse/grammar.h"
#include "frontend/parse/place_text.h"
#include "frontend/support/other_languages.h"

namespace frontend::syntax {
namespace {

bool is_enumeration(const Place& place) { return place.code[place.chunk.first].kind == Grammar::ENUM; }

/// The whole declaration as it is written.
std::string whole_type(const Place& place, std::string_view name) {
  return is_enumeration(place) ? fmt::format("enum {0} {{ leaf([3])  node({0}, {0}) }}", name)
                               : fmt::format("struct {} {{ slope: []  offset: [3] }}", name);
}

/// The position of the `{` that is open before the failure, and is closed behind it or never.
std::size_t open_brace(const Place& place) {
  std::size_t depth = 0;
  for (std::size_t i = place.position; i > place.chunk.first; --i) {
    const std::size_t kind = place.code[i - 1].kind;
    if (kind == Grammar::RIGHT_BRACE) ++depth;
    if (kind != Grammar::LEFT_BRACE) continue;
    if (depth == 0) return i - 1;
    --depth;
  }
  return place.chunk.first;
}

/// The token with which the statement starts in which token `i` stands.
const Token& statement_of(const Place& place, std::size_t i) {
  while (i > place.chunk.first && !place.code[i].statement_first) --i;
  return place.code[i];
}

/// Walks back from before token `i` to a `match` whose `{` does not come before that. Returns false, with `i`
/// behind the `{` that is open, or at the start of the declaration, where there is none.
bool find_match(const Place& place, std::size_t& i) {
  std::size_t depth = 0, complete = 0;
  for (; i > place.chunk.first; --i) {
    const std::size_t kind = place.code[i - 1].kind;
    if (kind == Grammar::RIGHT_BRACE) {
      ++depth;
    } else if (kind == Grammar::LEFT_BRACE) {
      if (depth == 0) return false;
      if (--depth == 0) ++complete;
    } else if (kind == Grammar::MATCH_VALUE && depth == 0 && complete-- == 0) {
      return true;
    }
  }
  return false;
}

std::string fix_of_value_match(const Place& place) {
  const Token &token = place.code[place.position], &before = place.code[place.position - 1];
  if (token.kind == Grammar::ELSE) return "every case has a value of its own: there is no 'else'";
  if (before.text == "case" && token.kind == Grammar::NAME)
    return fmt::format("no word stands before a case: {} => ...", token.text);
  if (token.kind == Grammar::COMMA || token.kind == Grammar::SEMICOLON)
    return fmt::format("cases stand side by side: leave the '{}' out", token.text);
  return "a case has its value behind =>: leaf(v) => sum(v)";
}

}  // namespace

MatchPart part_of_match(const Place& place) {
  std::size_t i = place.position;
  if (find_match(place, i)) return MatchPart::value;
  if (i == place.chunk.first) return MatchPart::none;
  --i;
  return find_match(place, i) ? MatchPart::cases : MatchPart::none;
}

bool is_type_declaration(const Place& place) {
  const std::size_t kind = place.code[place.chunk.first].kind;
  return kind == Grammar::STRUCT || kind == Grammar::ENUM;
}

std::string fix_of_type_declaration(const Place& place) {
  const std::size_t inside = place.position - place.chunk.first;
  const Token& name = place.code[place.chunk.first + 1];
  if (inside <= 2) return whole_type(place, inside == 2 && name.kind == Grammar::NAME ? name.text : "Name");
  const Token &token = place.code[place.position], &before = place.code[place.position - 1];
  const bool enumeration = is_enumeration(place);
  if (token.kind == Grammar::COMMA || token.kind == Grammar::SEMICOLON)
    return fmt::format("{} stand side by side: leave the '{}' out", enumeration ? "cases" : "fields",
                       token.text);
  const std::string_view element = before.kind == Grammar::NAME          ? element_type_elsewhere(before.text)
                                   : token.kind == Grammar::ELEMENT_TYPE ? token.text
                                                                         : std::string_view();
  const std::size_t field = place.position + (token.kind == Grammar::ELEMENT_TYPE ? 1 : 0);
  if (!enumeration && !element.empty() && field + 1 < place.code.size() &&
      place.code[field].kind == Grammar::NAME) {
    const bool shaped = place.code[field + 1].text == "[";
    return fmt::format(
        "the type stands behind the name: {}: {}{}", place.code[field].text, element,
        shaped ? text_between(place, field + 1, end_of_part(place, field + 2, false) + 1) : "[]");
  }
  if (before.kind != Grammar::NAME) return "";
  if (enumeration && token.kind == Grammar::COLON)
    return fmt::format("the payload of a case stands in parentheses: {}([3])", before.text);
  if (!enumeration) return fmt::format("a field has a type: {}: []", before.text);
  return "";
}

std::string fix_of_match(const Place& place) {
  const Token &token = place.code[place.position], &before = place.code[place.position - 1];
  constexpr std::string_view whole = "match t { leaf(v) { ... } node(l, r) { ... } }";
  const MatchPart part = part_of_match(place);
  if (part == MatchPart::cases) return fix_of_value_match(place);
  if (part == MatchPart::value) return "match t { leaf(v) => ... node(l, r) => ... }";
  const std::size_t brace = open_brace(place);
  const bool in_cases = brace > place.chunk.first && statement_of(place, brace).kind == Grammar::MATCH;
  if (!in_cases)
    return statement_of(place, place.position - 1).kind == Grammar::MATCH ? std::string(whole) : "";
  if (token.kind == Grammar::DOUBLE_ARROW)
    return "a match that gives a value stands where a value does: return match t { leaf(v) => ... }";
  if (token.kind == Grammar::ELSE) return "every case has a block of its own: there is no 'else'";
  if (before.text == "case" && token.kind == Grammar::NAME)
    return fmt::format("no word stands before a case: {} {{ ... }}", token.text);
  if (token.kind == Grammar::COMMA || token.kind == Grammar::SEMICOLON)
    return fmt::format("cases stand side by side: leave the '{}' out", token.text);
  if (before.kind == Grammar::NAME || before.kind == Grammar::RIGHT_PARENTHESIS)
    return "a case has its block in braces: leaf(v) { return v }";
  return std::string(whole);
}

}  // namespace frontend::syntax
