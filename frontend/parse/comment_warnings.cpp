#include "frontend/parse/comment_warnings.h"

#include <fmt/format.h>

#include <algorithm>

#include "frontend/parse/grammar.h"

namespace frontend::syntax {
namespace {

/// Whether the comment is `// 2`: one number behind at most one blank, and nothing but closing brackets.
bool is_divisor(std::string_view comment) {
  if (!comment.starts_with("//")) return false;
  comment.remove_prefix(2);
  if (comment.starts_with(' ')) comment.remove_prefix(1);
  const std::size_t digits = std::min(comment.find_first_not_of("0123456789"), comment.size());
  return digits > 0 && comment.substr(digits).find_first_not_of(")] \r") == std::string_view::npos;
}

/// Whether the tokens [first, last) of one line are `name = … name …`: a comment behind numbers alone says
/// their value, and so does one behind a dimension.
bool is_equation_of_names(const std::vector<Token>& code, std::size_t first, std::size_t last) {
  const auto equals = std::find_if(code.begin() + static_cast<std::ptrdiff_t>(first),
                                   code.begin() + static_cast<std::ptrdiff_t>(last),
                                   [](const Token& token) { return token.kind == Grammar::EQUALS; });
  return code[first].text != "dim" &&
         std::any_of(equals, code.begin() + static_cast<std::ptrdiff_t>(last),
                     [](const Token& token) { return token.kind == Grammar::NAME; });
}

}  // namespace

void warn_about_comments(const Tokens& tokens, Diagnostics& diagnostics) {
  const std::vector<Token>& code = tokens.code;
  for (const Token& comment : tokens.comments) {
    if (!is_divisor(comment.text)) continue;
    const auto behind = std::ranges::upper_bound(code, comment.begin, {}, &Token::begin);
    const auto last = static_cast<std::size_t>(behind - code.begin());
    std::size_t first = last;
    while (first > 0 && code[first - 1].location.line == comment.location.line) --first;
    if (first == last || !ends_operand(code[last - 1]) || comment.begin > code[last - 1].end + 1) continue;
    if (!is_equation_of_names(code, first, last)) continue;
    diagnostics.report(comment_as_division, comment.location, comment.text)
        .fix(fmt::format("a division that rounds down is floor_divide({}, ...)", code[last - 1].text));
  }
}

}  // namespace frontend::syntax
