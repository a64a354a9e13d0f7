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
    fix_text(report);
    if (report.fixes.empty()) fix_character(report);
    if (token.text == "'" && operand_before())
      report.note("a ' stands directly behind the name of a state, whose next value it means: s'");
    if (token.text == "\"") report.note("the text that begins here lacks its \" on the same line");
  }
  emit(token);
}

/// Says what is meant by a character that is no token here.
void Resolver::fix_character(dlvm::Diagnostic& report) const {
  const Token& token = at(0);
  const auto found = std::ranges::find(replacements, token.text, &Replacement::written);
  if (found == std::end(replacements)) return;
  dlvm::Edit edit = dlvm::replacement(token.location, std::string(found->text()));
  if (at(1).text == token.text && at(1).begin == token.end) edit.end += token.text.size();  // &&
  report.fix(fmt::format("write {}", found->meant), edit);
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

}  // namespace frontend::syntax
