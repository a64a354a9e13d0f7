// Bodies of functions: braces, and where a statement starts.
#include <array>

#include "frontend/parse/diagnostics.h"
#include "frontend/parse/resolver.h"

namespace frontend::syntax {
namespace {

constexpr std::array<std::pair<std::string_view, std::size_t>, 6> statement_words = {
    {{"let", Grammar::LET},
     {"var", Grammar::VAR},
     {"for", Grammar::LOOP},
     {"while", Grammar::WHILE},
     {"return", Grammar::RETURN},
     {"match", Grammar::MATCH}}};

std::size_t statement_word(const Token& token) {
  if (token.kind != Grammar::RESERVED && token.kind != Grammar::AUTO && token.kind != Grammar::FOR) return 0;
  for (const auto& [word, kind] : statement_words)
    if (token.text == word) return kind;
  return 0;
}

}  // namespace

// Within brackets a statement starts only at the start of a line, with what is no part of an expression.
bool Resolver::starts_statement() const {
  if (!in_block() || !previous() || !has_statements()) return false;
  const Token& before = *previous();
  const bool complete = before.kind == Grammar::LEFT_BRACE || ends_operand(before);
  const bool directly = inside(Grammar::LEFT_BRACE);
  if (at(0).kind == Grammar::IF) return directly && complete;
  const std::size_t word = statement_word(at(0));
  if (word == Grammar::MATCH) return complete && (directly || at(0).line_first);  // else it is an expression
  if (word != 0) return directly ? complete || at(0).line_first : at(0).line_first && word != Grammar::LOOP;
  const std::size_t equals = at(1).text == "'" ? 2 : 1;  // behind the next value of a state
  return at(0).kind == Grammar::NAME && at(equals).kind == Grammar::EQUALS && complete &&
         (directly || at(0).line_first);
}

bool Resolver::starts_member() const {
  if (open_.back().values)
    return at(0).kind == Grammar::NAME &&
           (previous()->kind == Grammar::LEFT_BRACE || ends_operand(*previous()));
  return open_.back().members && at(0).kind == Grammar::NAME && previous()->kind != Grammar::COLON &&
         previous()->kind != Grammar::DOT;
}

bool Resolver::starts_match_value() const {
  if (at(0).text != "match" || !previous() || operand_before()) return false;
  const std::size_t before = previous()->kind, next = at(1).kind;
  if (out_.code.size() - out_.chunks.back().first == 1 && chunk_kind() != 0) return false;  // a name follows
  for (const std::size_t kind : {Grammar::LET, Grammar::VAR, Grammar::LOOP, Grammar::DOT, Grammar::OF,
                                 Grammar::WRT, Grammar::KEEPING, Grammar::OVER, Grammar::LEFT_BRACE})
    if (before == kind) return false;
  for (const std::size_t kind : {Grammar::EQUALS, Grammar::COLON, Grammar::COMMA, Grammar::RIGHT_PARENTHESIS})
    if (next == kind) return false;
  return next != antlr4::Token::EOF;
}

void Resolver::begin_statement(Token& token) {
  close_to_block();
  end_operators();
  open_.back().range = false;
  matches_ -= std::exchange(open_.back().matches, 0);
  token.statement_first = true;
  if (const std::size_t word = statement_word(token); word != 0) token.kind = word;
  open_.back().match = token.kind == Grammar::MATCH;
}

void Resolver::close_to_block() {
  while (!inside(Grammar::LEFT_BRACE)) {
    Token& opener = out_.code[open_.back().opener];
    pop_level();
    if (opener.reported) continue;
    mark(opener);
    diagnostics_.report(unclosed_bracket, opener.location, opener.text);
  }
}

void Resolver::take_open_brace() {
  const Token& brace = at(0);
  if (open_.back().matches > 0) {
    --open_.back().matches, --matches_;
    open(brace);
    open_.back().values = true;
    return;
  }
  const std::size_t kind = previous() ? chunk_kind() : 0;
  const bool type = kind == Grammar::STRUCT || kind == Grammar::ENUM;
  if (kind == 0 || (!has_statements() && !type)) return void(emit(brace));
  open_.back().range = false;
  const bool members = type || std::exchange(open_.back().match, false);
  conditionals_ -= std::exchange(open_.back().conditionals, 0);  // the condition ends here, `if c {`
  open(brace);
  open_.back().members = members;
}

void Resolver::take_close_brace() {
  const Token& brace = at(0);
  if (!in_block()) return void(emit(brace));
  close_to_block();
  pop_level();
  emit(brace);
}

void Resolver::mark_results(const Level& level) {
  if (level.opener <= out_.chunks.back().first) return;
  const std::size_t before = out_.code[level.opener - 1].kind;
  const bool is_body = before == Grammar::EQUALS && open_.size() == 1 && has_statements();
  const bool is_wrt =
      before == Grammar::COLON && level.opener > 1 && out_.code[level.opener - 2].text == "wrt";
  if (before == Grammar::RETURN || is_body || is_wrt) out_.code[level.opener].kind = Grammar::RESULTS_OPEN;
}

}  // namespace frontend::syntax
