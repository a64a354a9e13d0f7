// Brackets that match, and nesting that the parser's stack can hold.
#include <utility>

#include "frontend/parse/diagnostics.h"
#include "frontend/parse/resolver.h"

namespace frontend::syntax {

void Resolver::open(const Token& token) {
  Level level;
  level.opener = out_.code.size();
  level.kind = token.kind;
  level.operand = !operand_before();
  emit(token);
  open_.push_back(level);
  check_depth(out_.code.back());
}

void Resolver::close(Token token) {
  const auto closer_of = [](std::size_t kind) -> std::size_t {
    return kind == Grammar::LEFT_PARENTHESIS ? Grammar::RIGHT_PARENTHESIS : Grammar::RIGHT_BRACKET;
  };
  if (open_.size() == 1 || inside(Grammar::LEFT_BRACE)) {
    mark(token);
    diagnostics_.report(unmatched_bracket, token.location, token.text);
    emit(token);
    return;
  }
  const Level level = open_.back();
  pop_level();
  Token& opener = out_.code[level.opener];
  if (closer_of(level.kind) != token.kind) {
    mark(token);
    if (std::exchange(crossed_, closer_of(level.kind)) != token.kind)  // else they are exchanged: one mistake
      diagnostics_.report(mismatched_bracket, token.location, opener.text, token.text)
          .note(opener.location, "opened here");
  } else if (level.kind == Grammar::LEFT_BRACKET && level.operand) {
    if (level.shape || level.opener + 1 == out_.code.size()) opener.kind = Grammar::SHAPE_OPEN;
  }
  if (token.kind == Grammar::RIGHT_PARENTHESIS && level.comma) mark_results(level);
  emit(token);
}

void Resolver::pop_level() {
  end_operators();
  matches_ -= open_.back().matches;
  open_.pop_back();
}

void Resolver::end_operators() {
  Level& level = open_.back();
  right_ -= level.tight + level.loose;
  conditionals_ -= level.conditionals;
  level.tight = level.loose = level.conditionals = 0;
}

void Resolver::count(Token& token) {
  Level& level = open_.back();
  switch (token.kind) {
    case Grammar::COMMA:
      level.comma = true;
      [[fallthrough]];
    case Grammar::SEMICOLON:
    case Grammar::COLON:
    case Grammar::PIPE:
    case Grammar::DOUBLE_ARROW:
      return end_operators();
    case Grammar::IF:
      if (previous() && previous()->kind == Grammar::ELSE)
        ++level.loose, ++right_;
      else
        ++level.conditionals, ++conditionals_;
      break;
    case Grammar::MATCH_VALUE:
      ++level.matches, ++matches_;
      break;
    case Grammar::NOT:
      ++level.loose, ++right_;
      break;
    case Grammar::CARET:
      ++level.tight, ++right_;
      break;
    case Grammar::MINUS:
      if (!operand_before()) {
        ++level.tight, ++right_;
        break;
      }
      [[fallthrough]];
    default:
      right_ -= level.tight;
      level.tight = 0;
      return;
  }
  check_depth(token);
}

void Resolver::check_depth(Token& token) {
  const bool brackets = open_.size() - 1 + conditionals_ + matches_ > nesting_limit;
  if (!brackets && right_ <= right_nesting_limit) return;
  mark(token);
  if (std::exchange(too_deep_reported_, true)) return;
  diagnostics_.report(too_deep, token.location, brackets ? nesting_limit : right_nesting_limit);
}

}  // namespace frontend::syntax
