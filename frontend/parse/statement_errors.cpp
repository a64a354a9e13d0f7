// Likely mistakes in the statements of a function's body.
#include "frontend/parse/statement_errors.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "frontend/parse/declared_type_errors.h"
#include "frontend/parse/grammar.h"
#include "frontend/parse/likely_fix.h"
#include "frontend/parse/line_fix.h"

namespace frontend::syntax {
namespace {

std::size_t brace_depth(const Place& place) {
  std::size_t depth = 0;
  for (std::size_t i = place.chunk.first; i < place.position; ++i) {
    if (place.code[i].kind == Grammar::LEFT_BRACE) ++depth;
    if (place.code[i].kind == Grammar::RIGHT_BRACE && depth > 0) --depth;
  }
  return depth;
}

/// The position where the statement before the failure starts, or that of the brace before it.
std::size_t statement_start(const Place& place) {
  std::size_t i = place.position - 1;
  while (i > place.chunk.first && !place.code[i].statement_first &&
         place.code[i].kind != Grammar::LEFT_BRACE && place.code[i].kind != Grammar::RIGHT_BRACE)
    --i;
  return i;
}

/// Returns the fix for what stands behind a name at the start of a statement that is no statement of TEL.
std::string fix_behind_name(const Place& place, const Token& name) {
  const Token& token = place.code[place.position];
  if (name.text == "break" || name.text == "continue")
    return "a loop ends when its condition is false, or with a return: put the condition into the 'while', "
           "or "
           "the rest of the round into an 'if'";
  if (name.text == "elif" || name.text == "elseif") return "write else if";
  if (name.text == "print") return "there is no output: declare an out in the module";
  if (name.text == "assert")
    return "shapes that are declared are checked when telc compiles, and free dimensions by each call; leave "
           "it out";
  if (const std::string value = updated_value(place.code, place.position); !value.empty())
    return declares_state(place.code, name.text)
               ? fmt::format("the next value of a state: {}' = {}", name.text, value)
               : fmt::format("write {} = {}", name.text, value);
  if (token.kind == Grammar::LEFT_BRACKET)
    return fmt::format(
        "an assignment gives the whole variable a value, of which replace makes one with other rows: {0} = "
        "replace({0}, ..., at: i)",
        name.text);
  if (token.kind == Grammar::LEFT_PARENTHESIS)
    return fmt::format("a call has no effect but its value: let y = {}(...), or return {}(...)", name.text,
                       name.text);
  if (token.kind == Grammar::COLON) return fmt::format("declare it: let {}: ... = ...", name.text);
  if (token.kind == Grammar::COMMA) return "several values are declared with let (a, b) = f(x)";
  if (token.kind == Grammar::RIGHT_BRACE) return fmt::format("return {}", name.text);
  if (token.kind == Grammar::LEFT_BRACE)
    return fmt::format("a struct is made in parentheses, by the names of its fields: {}(...)", name.text);
  if (token.kind == Grammar::DOT)
    return fmt::format(
        "a field is not assigned: the variable gets another struct, {} = ..., made of all its fields",
        name.text);
  const bool is_operator = token.kind == Grammar::PLUS || token.kind == Grammar::MINUS ||
                           token.kind == Grammar::STAR || token.kind == Grammar::SLASH ||
                           token.kind == Grammar::BULLET || token.kind == Grammar::CARET;
  const auto next = place.code[place.position + 1].kind;
  const bool counts = next == token.kind || next == Grammar::EQUALS;  // `i++`, `i += 1`
  if (is_operator && !counts)
    return fmt::format("a value alone is no statement: return {} {} ...", name.text, token.text);
  if (token.kind == Grammar::NAME) return fmt::format("declare it: let {} = ...", token.text);
  return "";
}

}  // namespace

bool in_block(const Place& place) { return brace_depth(place) > 0; }

std::string after_operand_in_block(const Place& place) {
  const MatchPart part = part_of_match(place);
  if (part == MatchPart::cases) return "an operator, the next case or '}'";
  if (part == MatchPart::value) return "an operator or '{'";
  const std::size_t start = statement_start(place), kind = place.code[start].kind;
  const auto has_equals = [&] {
    for (std::size_t i = start; i < place.position; ++i)
      if (place.code[i].kind == Grammar::EQUALS) return true;
    return false;
  };
  const bool at_start = kind == Grammar::LEFT_BRACE || kind == Grammar::RIGHT_BRACE;
  if (at_start && place.position == start + 2) return "'='";
  if ((kind == Grammar::LET || kind == Grammar::VAR) && !has_equals()) return "':' or '='";
  if (kind == Grammar::IF || kind == Grammar::WHILE || kind == Grammar::MATCH) return "an operator or '{'";
  if (kind == Grammar::LOOP) {
    for (std::size_t i = statement_start(place); i < place.position; ++i)
      if (place.code[i].kind == Grammar::RANGE) return "an operator, 'by' or '{'";
    return "an operator or '..'";
  }
  return "an operator, the next statement or '}'";
}

std::string fix_of_statement(const Place& place) {
  const Token& token = place.code[place.position];
  const Token& start = place.code[statement_start(place)];
  const Token& before = place.code[place.position - 1];
  if (token.kind == Grammar::SEMICOLON) return "a statement needs no ';' behind it: leave it out";
  if (start.kind == Grammar::LOOP) return "for i in 0..n { ... }, or in steps: for i in 0..n by 2 { ... }";
  if (token.kind == Grammar::THEN)
    return "a statement has its block in braces: if condition { ... } else { ... }";
  if (token.kind == Grammar::ELSE) return "an 'else' follows the '}' of its 'if'";
  if (token.text == "is") return fix_of_is(place);
  if (token.kind == Grammar::STAR && before.kind == Grammar::STAR) return "a power is written ^";
  if (token.kind == Grammar::EQUALS && (start.kind == Grammar::IF || start.kind == Grammar::WHILE))
    return "a comparison: ==";
  const bool has_condition = start.kind == Grammar::IF || start.kind == Grammar::WHILE;
  if (has_condition && token.kind == Grammar::COLON)
    return fmt::format("the block stands in braces: {} condition {{ ... }}", start.text);
  if (has_condition && (token.text == "break" || token.text == "continue"))
    return fix_behind_name(place, token);
  if (has_condition && (token.statement_first || before.kind == Grammar::RIGHT_PARENTHESIS))
    return fmt::format("the block stands in braces: {{ {} ... }}", token.text);
  if ((start.kind == Grammar::LET || start.kind == Grammar::VAR) && before.kind == Grammar::NAME &&
      (token.statement_first || token.kind == Grammar::RIGHT_BRACE))
    return fmt::format("it has a value from the start: {} {} = 0", start.text, before.text);
  if (start.kind == Grammar::RETURN && token.kind == Grammar::COMMA)
    return "several results stand in parentheses: return (a, b)";
  if (start.kind == Grammar::RETURN && &before == &start) return "return the value of a variable: return y";
  if (token.kind == Grammar::ELEMENT_TYPE && before.kind != Grammar::COLON)
    return fmt::format(
        "the type stands behind the name: let {}: {} = ...",
        place.code[place.position + 1].kind == Grammar::NAME ? place.code[place.position + 1].text : "a",
        token.text);
  const bool behind_operand = ends_operand(before) && before.kind != Grammar::RIGHT_BRACE &&
                              token.kind != Grammar::RIGHT_BRACE && &before != &start;
  if (before.kind == Grammar::NAME && (!start.statement_first || behind_operand || &before == &start))
    return fix_behind_name(place, before);
  return "";
}

}  // namespace frontend::syntax
