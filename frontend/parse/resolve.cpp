// This file decides what each token means in its context.
#include <array>
#include <charconv>
#include <string_view>

#include "frontend/parse/diagnostics.h"
#include "frontend/parse/resolver.h"
#include "frontend/parse/separators.h"

namespace frontend::syntax {
namespace {

/// Lists what people write that is no token here, and what they mean.
constexpr std::array<std::pair<std::string_view, std::string_view>, 17> replacements = {
    {{"−", "-"},
     {"–", "-"},
     {"·", "•"},
     {"⋅", "•"},
     {"∙", "•"},
     {"÷", "/"},
     {"≤", "<="},
     {"≥", ">="},
     {"≠", "!="},
     {"→", "->"},
     {"!", "not"},
     {"&", "and"},
     {"|", "or"},
     {"∗", "*"},
     {"²", "^2"},
     {"³", "^3"},
     {"\u00A0", "an ordinary space"}}};

/// Names the characters that cannot be seen in a message.
constexpr std::array<std::pair<std::string_view, std::string_view>, 4> invisible = {
    {{"\u00A0", "no-break space"},
     {"\u200B", "zero-width space"},
     {"\uFEFF", "byte-order mark"},
     {"\u2028", "line separator"}}};

bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

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
      if (token.kind == Grammar::QUESTION) open_.back().shape = true;
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

void Resolver::take_number() {
  const Token number = at(0), next = at(1);
  const bool adjacent = next.begin == number.end;
  if (adjacent && is_word(next) && (next.text != "x" || !inside(Grammar::LEFT_BRACKET))) {
    ++i_;
    if (!is_extent_tail(next.text)) return report_joined(number, next);
    emit(number);
    for (std::size_t i = 0; i < next.text.size();) {
      std::size_t end = i + 1;
      while (end < next.text.size() && is_digit(next.text[end])) ++end;
      emit(part(next, i, 1, Grammar::SEPARATOR));
      emit(part(next, i + 1, end - i - 1, Grammar::NUMBER));
      i = end;
    }
    open_.back().shape = true;
    return;
  }
  // `3.` and `3. * x`; `3 . x` is a product, `3.x` a member.
  if (adjacent && next.kind == Grammar::DOT && at(2).begin != next.end) {
    ++i_;
    Token whole = joined(number, next, Grammar::NUMBER);
    mark(whole);
    diagnostics_.report(malformed_number, whole.location, whole.text).fix(fmt::format("{}.0", number.text));
    emit(whole);
    return;
  }
  emit(number);
}

namespace {

void fix_hexadecimal(dlvm::Diagnostic& report, const Token& number) {
  report.note("there are no hexadecimal numbers");
  std::int64_t value = 0;
  const char* end = number.text.data() + number.text.size();
  const auto read = std::from_chars(number.text.data() + 2, end, value, 16);
  if (read.ec != std::errc() || read.ptr != end) return;
  report.fix(fmt::format("write {}", value), dlvm::replacement(number.location, std::to_string(value)));
}

}  // namespace

void Resolver::report_joined(const Token& number, const Token& word) {
  Token whole = joined(number, word, Grammar::NUMBER);
  mark(whole);
  emit(whole);
  const bool hexadecimal = number.text == "0" && word.text.starts_with('x');
  if (word.text.starts_with('x') && !hexadecimal && inside(Grammar::LEFT_BRACKET)) {
    diagnostics_.report(joined_separator, whole.location, whole.text).fix(separated(whole.text));
    return;
  }
  auto& report = diagnostics_.report(malformed_number, whole.location, whole.text);
  const bool number_like =
      word.text.starts_with('_') || word.text.starts_with('e') || word.text.starts_with('E');
  const bool suffix =
      word.text.size() == 1 && std::string_view("fFlLuU").find(word.text[0]) != std::string_view::npos;
  if (suffix)
    report.fix(fmt::format("a number has no suffix: {}", number.text));
  else if (hexadecimal)
    fix_hexadecimal(report, whole);
  else if (number_like)
    report.note("a digit stands on both sides of '_', and digits follow an exponent");
  else
    report.fix(fmt::format("{} * {}", number.text, word.text));
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
  diagnostics_.report(unexpected_character, token.location, quoted(token)).fix("write *");
  emit(token);
}

void Resolver::take_unknown() {
  Token token = at(0);
  if (token.text == "'" && previous() && previous()->kind == Grammar::NAME &&
      previous()->end == token.begin) {
    token.kind = Grammar::NEXT;
    return void(emit(token));
  }
  mark(token);
  if (!std::exchange(unknown_reported_, true)) {
    auto& report = diagnostics_.report(unexpected_character, token.location, described(token));
    for (const auto& [written, meant] : replacements)
      if (token.text == written) report.fix(fmt::format("write {}", meant));
    fix_text(report);
    if (token.text == "'" && operand_before())
      report.note("a ' stands directly behind the name of a state, whose next value it means: s'");
    if (token.text == "\"") report.note("the text that begins here lacks its \" on the same line");
  }
  emit(token);
}

void Resolver::take_hash() {
  const auto is_hash = [](const Token& token) { return token.text == "#"; };
  if (!std::exchange(hash_reported_, true)) {
    const auto from = in_.begin() + static_cast<std::ptrdiff_t>(i_);
    const auto lines = std::count_if(from, in_.end(), is_hash);
    diagnostics_.report(unexpected_character, at(0).location, quoted(at(0)))
        .fix(lines == 1 ? "a comment starts with //"
                        : fmt::format("a comment starts with //: change all {} '#' of the file", lines));
  }
  while (at(1).kind != antlr4::Token::EOF && !at(1).line_first) ++i_;
}

std::string Resolver::described(const Token& token) {
  for (const auto& [character, name] : invisible)
    if (token.text == character) return std::string(name);
  const auto byte = static_cast<unsigned>(static_cast<unsigned char>(token.text[0]));
  return byte < 0x20 || byte == 0x7F ? fmt::format("control character 0x{:02X}", byte) : quoted(token);
}

Resolved resolve(const Tokens& tokens, Diagnostics& diagnostics) {
  return Resolver(tokens, diagnostics).run();
}

}  // namespace frontend::syntax
