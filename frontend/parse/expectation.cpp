#include "frontend/parse/expectation.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "frontend/ast/ast.h"
#include "frontend/parse/declared_type_errors.h"
#include "frontend/parse/diagnostics.h"
#include "frontend/parse/grammar.h"
#include "frontend/parse/statement_errors.h"

namespace frontend::syntax {
namespace {

constexpr std::array<std::pair<std::size_t, std::string_view>, 18> classes = {
    {{Grammar::NAME, "a name"},
     {Grammar::NUMBER, "a number"},
     {Grammar::ELEMENT_TYPE, "an element type"},
     {Grammar::SHAPE_OPEN, ""},
     {Grammar::AUTO, ""},
     {Grammar::SEPARATOR, "'x'"},
     {Grammar::OF, "'of'"},
     {Grammar::WRT, "'wrt'"},
     {Grammar::KEEPING, "'keeping'"},
     {Grammar::OVER, "'over'"},
     {Grammar::BACKWARD, "'backward'"},
     {Grammar::WITH, "'with'"},
     {Grammar::FROM, "'from'"},
     {Grammar::SCALE, "'scale'"},
     {Grammar::SCALING, "'scaling'"},
     {Grammar::SEEDABLE, "'seedable'"},
     {Grammar::GRADIENT, "'gradient'"},
     {Grammar::STRING, "a text in quotation marks"}}};

std::string class_name(std::size_t kind) {
  if (kind == antlr4::Token::EOF) return "the next declaration";
  for (const auto& [each, text] : classes)
    if (each == kind) return std::string(text);
  static const tel_grammar::TELParser vocabulary(nullptr);
  return vocabulary.getVocabulary().getDisplayName(kind);
}

std::string alternatives(const std::vector<std::string>& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i)
    text += (i == 0 ? "" : i + 1 == words.size() ? " or " : ", ") + words[i];
  return text;
}

/// The token that is wrong: in `W: param(4, 3) = 0` the parenthesis, although a net may be named before it.
std::size_t place_of(const Failure& failure, const std::vector<Token>& code, const Chunk& chunk) {
  constexpr std::size_t parenthesis = 3;
  const bool role = failure.token > parenthesis && code[chunk.first + 1].kind == Grammar::COLON &&
                    code[chunk.first + parenthesis].kind == Grammar::LEFT_PARENTHESIS &&
                    ast::role(code[chunk.first + 2].text).has_value();
  if (role) return parenthesis;
  // In `i: torch.float32[N]` it is the dot.
  const bool type = chunk.first + failure.token < chunk.last && failure.token == parenthesis + 1 &&
                    code[chunk.first + failure.token].kind == Grammar::ELEMENT_TYPE &&
                    code[chunk.first + parenthesis].kind == Grammar::DOT;
  return type ? parenthesis : failure.token;
}

}  // namespace

Expectation::Expectation(const Failure& failure, const Resolved& resolved, const Chunk& chunk)
    : failure_(failure),
      code_(resolved.code),
      chunk_(chunk),
      position_(std::min(chunk.first + place_of(failure, resolved.code, chunk), chunk.last)) {
  for (std::size_t i = chunk.first; i < position_; ++i) follow(i);
}

void Expectation::follow(std::size_t i) {
  switch (code_[i].kind) {
    case Grammar::LEFT_PARENTHESIS:
    case Grammar::RESULTS_OPEN:
    case Grammar::LEFT_BRACKET:
    case Grammar::SHAPE_OPEN:
      open_.push_back(i);
      break;
    case Grammar::RIGHT_PARENTHESIS:
    case Grammar::RIGHT_BRACKET:
      if (!open_.empty()) open_.pop_back();
      break;
    case Grammar::EQUALS:
      equals_ = equals_ || open_.empty();
      break;
    default:
      break;
  }
}

bool Expectation::in_extents() const {
  switch (failure_.rule) {
    case Grammar::RuleShape:
    case Grammar::RuleExtents:
    case Grammar::RuleExtent:
    case Grammar::RuleExtentTerm:
    case Grammar::RuleExtentFactor:
      return true;
    default:
      return false;
  }
}

bool Expectation::in_extent() const {
  if (!previous() || (previous()->kind != Grammar::NUMBER && previous()->kind != Grammar::NAME)) return false;
  if (in_extents() || failure_.rule == Grammar::RuleNetArguments) return true;
  const std::size_t before =
      position_ > chunk_.first + 1 ? code_[position_ - 2].kind : std::size_t{Grammar::COMMA};
  const bool has_default = before == Grammar::EQUALS || before == Grammar::IN;
  const bool header =
      failure_.rule == Grammar::RuleNetHeader || failure_.rule == Grammar::RuleRecurrentHeader;
  return has_default && (header || code_[chunk_.first].kind == Grammar::DIM);
}

bool Expectation::in_shape() const {
  return !open_.empty() && (in_extents() || code_[open_.back()].kind == Grammar::SHAPE_OPEN);
}

std::string Expectation::after_operand() const {
  if (wants(Grammar::DOUBLE_ARROW)) return "'=>'";
  if (wants(Grammar::THEN)) return "'then'";
  if (wants(Grammar::ELSE)) return "an operator or 'else'";
  if (open_.empty() && in_block(here()) && !is_type_declaration(here()))
    return after_operand_in_block(here());
  if (open_.empty()) return equals_ ? "an operator or the next declaration" : "'=' or the next declaration";
  const std::size_t opener = code_[open_.back()].kind;
  if (in_shape()) return "'x' or ']'";
  return opener == Grammar::LEFT_PARENTHESIS ? "an operator, ',' or ')'" : "an operator, ',' or ']'";
}

std::string Expectation::wanted() const {
  const Token* before = previous();
  const std::string after = before ? fmt::format(" after {}", quoted(*before)) : "";
  const bool complete = before && ends_operand(*before);
  if (in_extents() && !complete) return "an extent" + after;
  if (in_extents() && !in_shape()) return after_operand();
  const bool header = !equals_ && open_.empty() && (!in_block(here()) || is_type_declaration(here()));
  if (failure_.rule == Grammar::RuleParameter && wants(Grammar::COLON)) return "':' and a type" + after;
  if (header && before && before->kind == Grammar::COLON) return "a role or a type after ':'";
  if (wants_operand() && !complete) return "an expression" + after;
  if (complete && !(header && !failure_.expected.empty() && !wants(antlr4::Token::EOF)))
    return after_operand() + after;
  std::vector<std::string> words;
  for (const std::size_t kind : failure_.expected)
    if (std::string word = class_name(kind); !word.empty()) words.push_back(std::move(word));
  return (words.empty() ? "something else" : alternatives(words)) + after;
}

dlvm::Diagnostic& Expectation::report_expected(Diagnostics& diagnostics) const {
  if (!at_end()) return diagnostics.report(expected, found().location, wanted(), quoted(found()));
  Location location = code_[chunk_.last - 1].location;
  location.column += location.length;
  location.length = 1;
  const bool last = code_[chunk_.last].kind == antlr4::Token::EOF;
  const std::string what =
      last ? "the end of the file" : fmt::format("the next declaration, {}", quoted(code_[chunk_.last]));
  return diagnostics.report(expected, location, wanted(), what);
}

}  // namespace frontend::syntax
