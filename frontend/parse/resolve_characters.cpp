// Characters that are no tokens.
#include <algorithm>
#include <array>
#include <string_view>

#include "frontend/parse/diagnostics.h"
#include "frontend/parse/resolver.h"

namespace frontend::syntax {
namespace {

/// A character that people write and that is no token here, and what they mean.
struct Replacement {
  std::string_view written, meant;
  std::string_view edit = {};  ///< what is put in its place, if that is not what they mean
  std::string_view text() const { return edit.empty() ? meant : edit; }
};
constexpr Replacement replacements[]{
    {"−", "-"},   {"–", "-"},           {"·", "•"},
    {"⋅", "•"},   {"∙", "•"},           {"÷", "/"},
    {"≤", "<="},  {"≥", ">="},          {"≠", "!="},
    {"→", "->"},  {"!", "not", "not "}, {"~", "not", "not "},
    {"&", "and"}, {"|", "or"},          {"∗", "*"},
    {"²", "^2"},  {"³", "^3"},          {"\u00A0", "an ordinary space", " "}};

/// Names the characters that cannot be seen in a message.
constexpr std::array<std::pair<std::string_view, std::string_view>, 4> invisible = {
    {{"\u00A0", "no-break space"},
     {"\u200B", "zero-width space"},
     {"\uFEFF", "byte-order mark"},
     {"\u2028", "line separator"}}};

}  // namespace

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
    fix_text(report, token.text);
    if (report.fixes.empty()) fix_character(report);
    if (token.text == "'" && operand_before())
      report.note(
          "a ' stands directly behind the name of a state, whose next value it means: s'; that of a "
          "state with other rows is s' = replace(s, rows, at: i). A transposed matrix is x^T");
    if (token.text == "\"") report.note("the text that begins here lacks its \" on the same line");
  }
  emit(token);
}

/// Says what is meant by a character that is no token here.
void Resolver::fix_character(dlvm::Diagnostic& report) const {
  const Token& token = at(0);
  if (token.text == "~" && previous() && previous()->kind == Grammar::RIGHT_BRACKET)
    return void(
        report.fix("initial values stand behind '=': write =", dlvm::replacement(token.location, "=")));
  const auto found = std::ranges::find(replacements, token.text, &Replacement::written);
  if (found == std::end(replacements)) return;
  dlvm::Edit edit = dlvm::replacement(token.location, std::string(found->text()));
  if (at(1).text == token.text && at(1).begin == token.end) edit.end += token.text.size();  // &&
  report.fix(fmt::format("write {}", found->meant), edit);
}

/// Takes `#type float16` and `#include "layers.tel"` of a line for themselves; returns whether one is there.
bool Resolver::take_directive() {
  const Token &hash = at(0), &word = at(1);
  if (!hash.line_first || word.begin != hash.end) return false;
  const bool header = word.text == "type" || word.text == "module";
  if ((!header && word.text != "include") || at(2).line_first) return false;
  auto& report = diagnostics_.report(unexpected_character, hash.location, quoted(hash));
  if (header) {
    report.fix(fmt::format("the line has no '#': {} {}", word.text, at(2).text),
               dlvm::replacement(hash.location, ""));
    return true;
  }
  std::string_view file = at(at(2).kind == Grammar::STRING || !at(3).line_first ? 2 : 1).text;
  if (file == "<") file = at(3).text;
  if (file.starts_with('"')) file.remove_prefix(1);
  report.fix(
      fmt::format("a file is imported by its name: import {}", file.substr(0, file.find_first_of(".\">"))));
  while (at(1).kind != antlr4::Token::EOF && !at(1).line_first) ++i_;
  return true;
}

void Resolver::take_hash() {
  if (take_directive()) return;
  const auto is_hash = [](const Token& token) { return token.text == "#"; };
  if (!std::exchange(hash_reported_, true)) {
    const auto from = in_.begin() + static_cast<std::ptrdiff_t>(i_);
    const auto lines = std::count_if(from, in_.end(), is_hash);
    auto& report = diagnostics_.report(unexpected_character, at(0).location, quoted(at(0)));
    if (lines == 1)
      report.fix("a comment starts with //", dlvm::replacement(at(0).location, "//"));
    else
      report.fix(fmt::format("a comment starts with //: change all {} '#' of the file", lines));
  }
  while (at(1).kind != antlr4::Token::EOF && !at(1).line_first) ++i_;
}

std::string Resolver::described(const Token& token) {
  for (const auto& [character, name] : invisible)
    if (token.text == character) return std::string(name);
  const auto byte = static_cast<unsigned>(static_cast<unsigned char>(token.text[0]));
  return byte < 0x20 || byte == 0x7F ? fmt::format("control character 0x{:02X}", byte) : quoted(token);
}

}  // namespace frontend::syntax
