// Where a declaration starts, and the comment that documents it.
#include <array>

#include "frontend/ast/ast.h"
#include "frontend/parse/diagnostics.h"
#include "frontend/parse/resolver.h"
#include "frontend/support/other_languages.h"

namespace frontend::syntax {
namespace {

constexpr std::array<std::pair<std::string_view, std::size_t>, 12> start_words = {
    {{"module", Grammar::MODULE},
     {"type", Grammar::TYPE},
     {"import", Grammar::IMPORT},
     {"dim", Grammar::DIM},
     {"func", Grammar::FUNC},
     {"gradient", Grammar::GRADIENT},
     {"net", Grammar::NET},
     {"recurrent", Grammar::RECURRENT},
     {"optimize", Grammar::OPTIMIZE},
     {"custom", Grammar::CUSTOM},
     {"struct", Grammar::STRUCT},
     {"enum", Grammar::ENUM}}};

}  // namespace

std::size_t start_word(const Token& token) {
  if (token.kind != Grammar::NAME) return 0;
  for (const auto& [word, kind] : start_words)
    if (token.text == word) return kind;
  return 0;
}

std::size_t Resolver::names_before(std::size_t end) const {
  if (i_ < no_names_until_) return 0;
  std::size_t n = 0;
  while (is_word(at(n)) && at(n + 1).kind == Grammar::COMMA) n += 2;
  const bool doubled = at(n + 1).end == at(n + 2).begin && at(n + 2).kind == Grammar::COLON;  // nn::relu
  const std::size_t next = is_word(at(n)) && !doubled ? at(n + 1).kind : 0;
  if (next != Grammar::COLON && next != Grammar::EQUALS) no_names_until_ = i_ + n;
  return next == end ? n + 1 : 0;
}
bool Resolver::role_at(std::size_t ahead) const {
  return at(ahead).kind == Grammar::IN || (at(ahead).kind == Grammar::NAME && ast::role(at(ahead).text));
}
bool Resolver::indexed_name() const {
  if (at(0).kind != Grammar::NAME || at(1).kind != Grammar::LEFT_BRACKET) return false;
  std::size_t depth = 0, n = 1;
  constexpr std::size_t farthest = 64;
  for (; n < farthest; ++n) {
    if (at(n).kind == Grammar::LEFT_BRACKET) ++depth;
    if (at(n).kind == Grammar::RIGHT_BRACKET && --depth == 0) break;
  }
  return n < farthest && (at(n + 1).kind == Grammar::EQUALS || at(n + 1).kind == Grammar::COLON);
}

bool Resolver::starts_declaration() const {
  if (!is_word(at(0))) return false;
  if (open_.size() == 1) return starts_here();
  return in_block() ? starts_within_block() : starts_within_brackets();
}

bool Resolver::starts_here() const {
  const Token* before = previous();
  if (open_.back().questions > 0 && !at(0).line_first) return false;  // `c ? x : y`
  const bool complete = !before || ends_operand(*before) || before->kind == Grammar::IN || after_header();
  if (before && out_.code.size() - out_.chunks.back().first == 1 && chunk_kind() != 0) return false;
  if (before && (before->kind == Grammar::COMMA || before->kind == Grammar::OVER)) return false;
  if (role_before() && !at(0).line_first && (types_.contains(at(0).text) || stands_for_type()))
    return false;  // `l: hidden Line = …`
  const bool plain = at(0).kind == Grammar::NAME || at(0).line_first;
  const bool after_colon = before && before->kind == Grammar::COLON;
  if (plain && names_before(Grammar::COLON) != 0) return true;
  if (plain && at(1).kind == Grammar::EQUALS && !after_colon && (complete || at(0).line_first)) return true;
  if (!complete) return false;
  if (plain && names_before(Grammar::EQUALS) != 0) return true;
  if (plain && at(1).text == "'" && at(2).kind == Grammar::EQUALS) return true;  // the next value of a state
  if (start_word(at(0)) != 0) return true;
  return indexed_name() && (!role_before() || starts_behind_role());
}

bool Resolver::starts_within_brackets() const {
  if (!at(0).line_first) return false;
  const bool complete = operand_before();
  if (const std::size_t colon = names_before(Grammar::COLON); colon != 0 && role_at(colon + 1)) {
    const std::size_t next = at(colon + 2).kind;
    if (complete || next == Grammar::LEFT_BRACKET || next == Grammar::EQUALS || next == Grammar::ELEMENT_TYPE)
      return true;
  }
  if (!complete) return false;
  const bool next_value = at(1).text == "'" && at(2).kind == Grammar::EQUALS;
  return at(1).kind == Grammar::EQUALS || next_value || (start_word(at(0)) != 0 && is_word(at(1)));
}

bool Resolver::starts_within_block() const {
  if (!at(0).line_first || !(operand_before() || previous()->kind == Grammar::LEFT_BRACE)) return false;
  if (start_word(at(0)) != 0 && is_word(at(1))) return true;
  // No `=` stands in a `match` of the module.
  if (chunk_kind() == 0 && at(0).kind == Grammar::NAME && at(1).kind == Grammar::EQUALS) return true;
  const std::size_t colon = names_before(Grammar::COLON);
  return colon != 0 && role_at(colon + 1);
}

void Resolver::find_types() {
  for (std::size_t i = 1; i < in_.size(); ++i)
    if (in_[i - 1].text == "struct" || in_[i - 1].text == "enum") types_.insert(in_[i].text);
}

bool Resolver::role_before() const {
  const std::size_t n = out_.code.size(), first = out_.chunks.empty() ? 0 : out_.chunks.back().first;
  return n >= first + 2 && out_.code[n - 2].kind == Grammar::COLON && is_word(out_.code[n - 1]);
}

bool Resolver::role_needs_value() const {
  const auto role = ast::role(previous()->text);
  return !role || (*role != ast::Role::in && *role != ast::Role::constant && *role != ast::Role::state);
}

bool Resolver::starts_behind_role() const {
  return !role_needs_value() && (at(0).line_first || element_type_elsewhere(at(0).text).empty());
}

bool Resolver::stands_for_type() const {
  if (at(0).kind != Grammar::NAME || at(1).kind != Grammar::EQUALS) return false;
  if (!ast::role(previous()->text)) return false;
  return role_needs_value() || !element_type_elsewhere(at(0).text).empty();
}

std::size_t Resolver::chunk_kind() const {
  const std::size_t kind = out_.code[out_.chunks.back().first].kind;
  const bool word =
      std::any_of(start_words.begin(), start_words.end(), [&](const auto& w) { return w.second == kind; });
  return word ? kind : 0;
}

void Resolver::begin_chunk(bool is_start) {
  close_chunk();
  crossed_ = 0;
  const std::size_t first = out_.code.size();
  out_.chunks.push_back({first, first, is_start, false, false, is_start ? doc() : ""});
}

bool Resolver::after_header() const {
  return !out_.chunks.empty() && out_.chunks.back().opens_scope && previous();
}

bool Resolver::take_scope_brace() {
  Token brace = at(0);
  if (brace.kind == Grammar::LEFT_BRACE && open_.size() == 1 && open_.back().matches == 0 && previous() &&
      !after_header() && (chunk_kind() == Grammar::NET || chunk_kind() == Grammar::RECURRENT)) {
    open_scopes_.emplace_back(emit(brace), chunk_kind());
    out_.chunks.back().opens_scope = true;
    return true;
  }
  if (brace.kind != Grammar::RIGHT_BRACE || open_scopes_.empty() || in_block()) return false;
  open_scopes_.pop_back();
  begin_chunk(true);
  out_.chunks.back().closes_scope = true;
  emit(brace);
  return true;
}

void Resolver::close_scopes() {
  for (const auto& [brace, kind] : open_scopes_)
    diagnostics_.report(unclosed_brace, brace.location, kind == Grammar::NET ? "net" : "recurrent block");
}

void Resolver::close_chunk() {
  if (open_.size() > 1) {
    Token& opener = out_.code[open_.back().opener];
    mark(opener);
    if (!too_deep_reported_) diagnostics_.report(unclosed_bracket, opener.location, opener.text);
  }
  open_.assign(1, {});
  right_ = conditionals_ = matches_ = 0;
  if (!out_.chunks.empty()) {
    Chunk& chunk = out_.chunks.back();
    chunk.last = out_.code.size();
    Token& first = out_.code[chunk.first];
    if (chunk.last - chunk.first > declaration_limit) {
      mark(first);
      diagnostics_.report(too_long, first.location, declaration_limit);
    }
  }
  too_deep_reported_ = false;
  unknown_reported_ = false;
}

std::string Resolver::doc() {
  const std::size_t from = i_ == 0 ? 0 : in_[i_ - 1].end;
  std::string text;
  bool any = false;
  for (; comment_ < comments_.size() && comments_[comment_].begin < at(0).begin; ++comment_) {
    const Token& comment = comments_[comment_];
    if (comment.begin < from || !comment.text.starts_with("///") || comment.text.starts_with("////"))
      continue;
    std::string_view line = comment.text.substr(3);
    if (line.starts_with(' ')) line.remove_prefix(1);
    while (!line.empty() && (line.back() == ' ' || line.back() == '\t')) line.remove_suffix(1);
    if (std::exchange(any, true)) text += '\n';
    text += line;
  }
  return text;
}

}  // namespace frontend::syntax
