// Constructs that the language does not support yet, in the pass over the tokens.
#include "frontend/parse/resolver.h"
#include "frontend/support/unsupported.h"

namespace frontend::syntax {

bool Resolver::take_unsupported() {
  const Token& token = at(0);
  const Token* before = previous();
  const bool complete = !before || ends_operand(*before) || before->kind == Grammar::IN || after_header();
  if (open_.size() != 1 || token.kind != Grammar::NAME || at(1).kind != Grammar::NAME) return false;
  if (!complete || (before && !token.line_first)) return false;
  const Unsupported* block = unsupported_block(token.text);
  if (block == nullptr) return false;
  begin_chunk(true);
  mark(emit(token));
  passed_over_.insert(at(1).text);
  report_unsupported(*block, token.location, diagnostics_);
  i_ += length_with_block() - 1;
  return true;
}

// A line end within the header belongs to it after an operator or a comma.
std::size_t Resolver::length_with_block() const {
  std::size_t n = 1;
  for (; at(n).kind != antlr4::Token::EOF && at(n).kind != Grammar::LEFT_BRACE; ++n)
    if (at(n).line_first && ends_operand(at(n - 1))) return n;
  return n + length_of_block(n);
}

std::size_t Resolver::length_of_block(std::size_t from) const {
  std::size_t n = from, depth = 0;
  for (; at(n).kind != antlr4::Token::EOF; ++n) {
    if (at(n).kind == Grammar::LEFT_BRACE) ++depth;
    if (at(n).kind == Grammar::RIGHT_BRACE && --depth == 0) return n + 1 - from;
  }
  return n - from;
}

void Resolver::mark_uses_of_skipped() {
  if (passed_over_.empty()) return;
  for (Token& token : out_.code)
    if (token.kind == Grammar::NAME && passed_over_.contains(token.text)) mark(token);
}

}  // namespace frontend::syntax
