// This file decides what each token means in its context.
#include <string_view>

#include "frontend/parse/diagnostics.h"
#include "frontend/parse/resolver.h"
#include "frontend/parse/separators.h"

namespace frontend::syntax {
Resolved Resolver::run() {
  open_.assign(1, {});
  out_.code.reserve(in_.size());
  find_types();
  for (i_ = 0; at(0).kind != antlr4::Token::EOF; ++i_) {
    if (take_scope_brace() || take_statement()) continue;
    if (at(0).text == "#") {
      take_hash();
      continue;
    }
    const bool starts = starts_declaration();
    if (starts || out_.chunks.empty() || after_header()) begin_chunk(starts);
    take();
  }
  close_chunk();
  close_scopes();
  mark_uses_of_skipped();
  out_.code.push_back(in_.back());
  return std::move(out_);
}

void Resolver::take() {
  Token token = at(0);
  if (starts_statement())
    begin_statement(token);
  else if (starts_match_value())
    token.kind = Grammar::MATCH_VALUE;
  switch (token.kind) {
    case Grammar::NUMBER:
      return take_number();
    case Grammar::NAME:
      return take_name();
    case Grammar::DOT:
      return take_dot();
    case Grammar::CARET:
      return take_caret();
    case Grammar::TIMES:
      return take_times();
    case Grammar::STRING:
      return take_string();
    case Grammar::UNKNOWN:
      return take_unknown();
    case Grammar::LEFT_BRACE:
      return take_open_brace();
    case Grammar::RIGHT_BRACE:
      return take_close_brace();
    case Grammar::LEFT_PARENTHESIS:
    case Grammar::LEFT_BRACKET:
      return open(token);
    case Grammar::RIGHT_PARENTHESIS:
    case Grammar::RIGHT_BRACKET:
      return close(token);
    default:
      if (token.kind == Grammar::QUESTION) {
        open_.back().shape = true;
        if (open_.size() == 1 && operand_before()) ++open_.back().questions;
      }
      if (token.kind == Grammar::COLON && open_.back().questions > 0) --open_.back().questions;
      if (token.kind == Grammar::ELLIPSIS && previous() && previous()->kind == Grammar::NAME)
        open_.back().shape = true;  // the only extents may be those of `s...`
      if (token.kind == Grammar::RANGE) open_.back().range = true;
      count(token);
      emit(token);
  }
}

Token Resolver::part(const Token& token, std::size_t from, std::size_t length, std::size_t kind) {
  Token piece = token;
  piece.kind = kind;
  piece.text = token.text.substr(from, length);
  piece.begin = token.begin + from;
  piece.end = piece.begin + length;
  piece.location.column += static_cast<std::uint32_t>(from);
  piece.location.length = static_cast<std::uint32_t>(length);
  return piece;
}

Token Resolver::joined(const Token& a, const Token& b, std::size_t kind) {
  Token token = a;
  token.kind = kind;
  token.text = {a.text.data(), a.text.size() + b.text.size()};
  token.end = b.end;
  token.location.length = a.location.length + b.location.length;
  return token;
}

void Resolver::mark_uses_of_skipped() {
  if (passed_over_.empty()) return;
  for (Token& token : out_.code)
    if (token.kind == Grammar::NAME && passed_over_.contains(token.text)) mark(token);
}

void Resolver::take_name() {
  if (take_unquoted_text()) return;
  Token name = at(0);
  const std::size_t word = start_word(name);
  const Token* before = previous();
  const bool declared = at(1).kind == Grammar::EQUALS || names_before(Grammar::COLON) != 0;
  if (!before && word != 0 && !declared && out_.chunks.back().is_start) name.kind = word;
  if (operand_before() && inside(Grammar::LEFT_BRACKET)) {
    if (name.text == "x") {
      name.kind = Grammar::SEPARATOR;
      open_.back().shape = true;
    } else if (is_extent_tail(name.text)) {
      mark(name);
      diagnostics_.report(joined_separator, name.location, name.text)
          .fix(fmt::format("x {}", name.text.substr(1)));
    }
  }
  const std::size_t sign = at(1).kind == Grammar::MINUS ? 1 : 0;
  if (name.text == "along" && before && before->kind == Grammar::RIGHT_BRACKET &&
      at(1 + sign).kind == Grammar::NUMBER)
    name.kind = Grammar::ALONG;
  if (before && chunk_kind() == Grammar::GRADIENT &&
      (before->kind == Grammar::NAME || before->kind == Grammar::NUMBER)) {
    if (name.text == "of") name.kind = Grammar::OF;
    if (name.text == "from") name.kind = Grammar::FROM;
    if (name.text == "seedable") name.kind = Grammar::SEEDABLE;
    if (name.text == "wrt") name.kind = Grammar::WRT;
    if (name.text == "keeping") name.kind = Grammar::KEEPING;
  }
  if (name.text == "from" && at(1).kind == Grammar::STRING) name.kind = Grammar::FROM;
  if (before && chunk_kind() == Grammar::RECURRENT && open_.size() == 1 &&
      (ends_operand(*before) || before->kind == Grammar::BACKWARD)) {
    if (name.text == "over") name.kind = Grammar::OVER;
    if (name.text == "backward") name.kind = Grammar::BACKWARD;
  }
  if (name.text == "gradient" && before && before->kind == Grammar::CUSTOM) name.kind = Grammar::GRADIENT;
  if (name.text == "with" && before && before->kind == Grammar::OPTIMIZE) name.kind = Grammar::WITH;
  if (name.text == "scaling" && before && chunk_kind() == Grammar::OPTIMIZE && open_.size() == 1 &&
      ends_operand(*before))
    name.kind = Grammar::SCALING;
  if (name.text == "scale" && !declared && stands_for_scale()) name.kind = Grammar::SCALE;
  if (name.text == "by" && operand_before() && inside(Grammar::LEFT_BRACE) && open_.back().range)
    name.kind = Grammar::BY;
  name.statement_first = starts_statement() || starts_member();
  emit(name);
}

void Resolver::take_dot() {
  Token dot = at(0);
  const Token& next = at(1);
  const bool left = !previous() || previous()->end != dot.begin;
  const bool right = next.begin != dot.end || next.kind == antlr4::Token::EOF;
  if (left && right) {
    dot.kind = Grammar::PRODUCT_DOT;
    count(dot);
  }
  const bool elements =
      !right && (next.kind == Grammar::STAR || next.kind == Grammar::SLASH || next.kind == Grammar::CARET);
  if (elements && operand_before()) {  // `a .* b`
    mark(dot);
    return void(diagnostics_.report(unexpected_character, dot.location, quoted(dot))
                    .fix(fmt::format("the operator of elements has no point: {}", next.text),
                         dlvm::replacement(dot.location, "")));
  }
  if (left == right) return void(emit(dot));
  mark(dot);
  if (!operand_before() && next.kind == Grammar::NUMBER && !right) {
    ++i_;
    const Token whole = joined(dot, next, Grammar::NUMBER);
    diagnostics_.report(malformed_number, whole.location, whole.text).fix(fmt::format("0{}", whole.text));
  } else {
    const std::string_view a = previous() ? previous()->text : "a", b = is_word(next) ? next.text : "b";
    diagnostics_.report(one_sided_dot, dot.location)
        .fix(fmt::format("{} . {}   (the product)", a, b))
        .fix(fmt::format("{}.{}   (the member)", a, b));
  }
  emit(dot);
}

void Resolver::take_caret() {
  Token caret = at(0);
  const Token& next = at(1);
  if (next.begin == caret.end && next.text == "T") {
    ++i_;
    emit(joined(caret, next, Grammar::TRANSPOSE));
    return;
  }
  count(caret);
  emit(caret);
}

void Resolver::take_times() {
  Token token = at(0);
  if (inside(Grammar::LEFT_BRACKET)) {
    token.kind = Grammar::SEPARATOR;
    open_.back().shape = true;
    emit(token);
    return;
  }
  mark(token);
  diagnostics_.report(unexpected_character, token.location, quoted(token))
      .fix("write *", dlvm::replacement(token.location, "*"));
  emit(token);
}

Resolved resolve(const Tokens& tokens, Diagnostics& diagnostics) {
  return Resolver(tokens, diagnostics).run();
}

}  // namespace frontend::syntax
