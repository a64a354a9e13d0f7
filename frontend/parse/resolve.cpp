// Gives every token its meaning in context; one pass over the tokens, each looked at with the tokens before
// it (already resolved) and a few after it (as lexed).
#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "frontend/ast/ast.h"
#include "frontend/parse/diagnostics.h"
#include "frontend/parse/grammar.h"
#include "frontend/parse/token.h"

namespace frontend::syntax {
namespace {

constexpr std::array<std::pair<std::string_view, std::size_t>, 6> start_words = {
    {{"module", Grammar::MODULE},
     {"type", Grammar::TYPE},
     {"import", Grammar::IMPORT},
     {"dim", Grammar::DIM},
     {"func", Grammar::FUNC},
     {"gradient", Grammar::GRADIENT}}};

/// What people write that is no token here, and what they mean.
constexpr std::array<std::pair<std::string_view, std::string_view>, 15> replacements = {{{"−", "-"},
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
                                                                                         {"²", "^2"}}};

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// `(x[0-9]+)+`
bool is_extent_tail(std::string_view text) {
  std::size_t i = 0;
  while (i < text.size()) {
    if (text[i++] != 'x' || i == text.size() || !is_digit(text[i])) return false;
    while (i < text.size() && is_digit(text[i])) ++i;
  }
  return !text.empty();
}

std::size_t start_word(const Token& token) {
  if (token.kind != Grammar::NAME) return 0;
  for (const auto& [word, kind] : start_words)
    if (token.text == word) return kind;
  return 0;
}

bool is_word(const Token& token) {
  return !token.text.empty() && token.kind != Grammar::NUMBER && token.kind != Grammar::UNKNOWN &&
         (std::isalpha(static_cast<unsigned char>(token.text[0])) || token.text[0] == '_');
}

class Resolver {
 public:
  Resolver(const Tokens& tokens, Diagnostics& diagnostics)
      : in_(tokens.code), comments_(tokens.comments), diagnostics_(diagnostics) {}

  Resolved run() {
    open_.assign(1, {});
    out_.code.reserve(in_.size());
    for (i_ = 0; at(0).kind != antlr4::Token::EOF; ++i_) {
      if (starts_declaration())
        begin_chunk(true);
      else if (out_.chunks.empty())
        begin_chunk(false);
      take();
    }
    close_chunk();
    out_.code.push_back(in_.back());
    return std::move(out_);
  }

 private:
  /// A bracket that is open, or (the first) the declaration itself.
  struct Level {
    std::size_t opener = 0;        ///< in the output
    std::size_t kind = 0;          ///< of the opener; 0 for the declaration
    bool operand = false;          ///< the opener stands where an operand does
    bool shape = false;            ///< holds a separator or `?` directly
    std::size_t tight = 0;         ///< prefix `-` and `^` that the next operator other than `^` ends
    std::size_t loose = 0;         ///< `not` and `else if`, ended by `,` `;` `:` or `|>`
    std::size_t conditionals = 0;  ///< other `if`s, ended likewise
  };

  const Token& at(std::size_t ahead) const { return in_[std::min(i_ + ahead, in_.size() - 1)]; }
  /// The token before, within the declaration; null at its start.
  const Token* previous() const {
    if (out_.chunks.empty() || out_.code.size() == out_.chunks.back().first) return nullptr;
    return &out_.code.back();
  }
  bool operand_before() const { return previous() && ends_operand(*previous()); }
  bool inside(std::size_t kind) const { return open_.back().kind == kind; }

  // ---------------------------------------------------------------------------------- declaration starts

  /// Number of tokens of `name, name, … :` from here to the colon; 0 where they are not that.
  std::size_t names_before_colon() const {
    if (i_ < no_names_until_) return 0;
    std::size_t n = 0;
    while (is_word(at(n)) && at(n + 1).kind == Grammar::COMMA) n += 2;
    if (is_word(at(n)) && at(n + 1).kind == Grammar::COLON) return n + 1;
    no_names_until_ = i_ + n;
    return 0;
  }
  bool role_at(std::size_t ahead) const {
    return at(ahead).kind == Grammar::IN || (at(ahead).kind == Grammar::NAME && ast::role(at(ahead).text));
  }
  /// `name[…]` followed by `=` or `:`: a declaration with indices on its left.
  bool indexed_name() const {
    if (at(0).kind != Grammar::NAME || at(1).kind != Grammar::LEFT_BRACKET) return false;
    std::size_t depth = 0, n = 1;
    constexpr std::size_t farthest = 64;
    for (; n < farthest; ++n) {
      if (at(n).kind == Grammar::LEFT_BRACKET) ++depth;
      if (at(n).kind == Grammar::RIGHT_BRACKET && --depth == 0) break;
    }
    return n < farthest && (at(n + 1).kind == Grammar::EQUALS || at(n + 1).kind == Grammar::COLON);
  }

  bool starts_declaration() const {
    if (!is_word(at(0))) return false;
    return open_.size() == 1 ? starts_here() : starts_within_brackets();
  }

  bool starts_here() const {
    const Token* before = previous();
    const bool complete = !before || ends_operand(*before) || before->kind == Grammar::IN;
    if (before && out_.code.size() - out_.chunks.back().first == 1 && chunk_kind() != 0) return false;
    if (before && before->kind == Grammar::COMMA) return false;
    const bool plain = at(0).kind == Grammar::NAME || at(0).line_first;
    const bool after_colon = before && before->kind == Grammar::COLON;
    if (plain && names_before_colon() != 0) return true;
    if (plain && at(1).kind == Grammar::EQUALS && !after_colon && (complete || at(0).line_first)) return true;
    if (!complete) return false;
    if (start_word(at(0)) != 0 && is_word(at(1))) return true;
    return at(0).line_first && indexed_name() && !role_before();
  }

  /// A bracket was left open: only what is no part of an expression, at the start of a line, ends it.
  bool starts_within_brackets() const {
    if (!at(0).line_first) return false;
    const bool complete = operand_before();
    if (const std::size_t colon = names_before_colon(); colon != 0 && role_at(colon + 1)) {
      const std::size_t next = at(colon + 2).kind;
      if (complete || next == Grammar::LEFT_BRACKET || next == Grammar::EQUALS ||
          next == Grammar::ELEMENT_TYPE)
        return true;
    }
    if (!complete) return false;
    return at(1).kind == Grammar::EQUALS || (start_word(at(0)) != 0 && is_word(at(1)));
  }

  /// The token before stands where a role does.
  bool role_before() const {
    const std::size_t n = out_.code.size(), first = out_.chunks.empty() ? 0 : out_.chunks.back().first;
    return n >= first + 2 && out_.code[n - 2].kind == Grammar::COLON;
  }

  /// The word that started the declaration, 0 where it was a name.
  std::size_t chunk_kind() const {
    const std::size_t kind = out_.code[out_.chunks.back().first].kind;
    const bool word =
        std::any_of(start_words.begin(), start_words.end(), [&](const auto& w) { return w.second == kind; });
    return word ? kind : 0;
  }

  void begin_chunk(bool is_start) {
    close_chunk();
    const std::size_t first = out_.code.size();
    out_.chunks.push_back({first, first, is_start, is_start ? doc() : ""});
  }

  void close_chunk() {
    if (open_.size() > 1) {
      Token& opener = out_.code[open_.back().opener];
      mark(opener);
      if (!too_deep_reported_) diagnostics_.report(unclosed_bracket, opener.location, opener.text);
    }
    open_.assign(1, {});
    right_ = conditionals_ = 0;
    if (!out_.chunks.empty()) out_.chunks.back().last = out_.code.size();
    too_deep_reported_ = false;
    unknown_reported_ = false;
  }

  /// The `///` lines since the token before, without slashes and one blank.
  std::string doc() {
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

  // ------------------------------------------------------------------------------------------ tokens

  static void mark(Token& token) { token.reported = true; }

  Token& emit(Token token) {
    out_.code.push_back(token);
    return out_.code.back();
  }

  void take() {
    Token token = at(0);
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
      case Grammar::UNKNOWN:
        return take_unknown();
      case Grammar::LEFT_PARENTHESIS:
      case Grammar::LEFT_BRACKET:
        return open(token);
      case Grammar::RIGHT_PARENTHESIS:
      case Grammar::RIGHT_BRACKET:
        return close(token);
      default:
        if (token.kind == Grammar::QUESTION) open_.back().shape = true;
        count(token);
        emit(token);
    }
  }

  static Token part(const Token& token, std::size_t from, std::size_t length, std::size_t kind) {
    Token piece = token;
    piece.kind = kind;
    piece.text = token.text.substr(from, length);
    piece.begin = token.begin + from;
    piece.end = piece.begin + length;
    piece.location.column += static_cast<std::uint32_t>(from);
    piece.location.length = static_cast<std::uint32_t>(length);
    return piece;
  }

  static Token joined(const Token& a, const Token& b, std::size_t kind) {
    Token token = a;
    token.kind = kind;
    token.text = {a.text.data(), a.text.size() + b.text.size()};
    token.end = b.end;
    token.location.length = a.location.length + b.location.length;
    return token;
  }

  void take_number() {
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

  void report_joined(const Token& number, const Token& word) {
    Token whole = joined(number, word, Grammar::NUMBER);
    mark(whole);
    emit(whole);
    const bool hexadecimal = number.text == "0" && word.text.starts_with('x');
    if (word.text.starts_with('x') && !hexadecimal && inside(Grammar::LEFT_BRACKET)) {
      diagnostics_.report(joined_separator, whole.location, whole.text)
          .fix(fmt::format("{} x {}", number.text, word.text.substr(1)));
      return;
    }
    auto& report = diagnostics_.report(malformed_number, whole.location, whole.text);
    const bool number_like =
        word.text.starts_with('_') || word.text.starts_with('e') || word.text.starts_with('E');
    if (hexadecimal)
      report.note("there are no hexadecimal numbers");
    else if (number_like)
      report.note("a digit stands on both sides of '_', and digits follow an exponent");
    else
      report.fix(fmt::format("{} * {}", number.text, word.text));
  }

  void take_name() {
    Token name = at(0);
    const std::size_t word = start_word(name);
    const Token* before = previous();
    if (!before && word != 0 && is_word(at(1)) && out_.chunks.back().is_start) name.kind = word;
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
    if (before && chunk_kind() == Grammar::GRADIENT && before->kind == Grammar::NAME) {
      if (name.text == "of") name.kind = Grammar::OF;
      if (name.text == "wrt") name.kind = Grammar::WRT;
      if (name.text == "keeping") name.kind = Grammar::KEEPING;
    }
    emit(name);
  }

  void take_dot() {
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

  void take_caret() {
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

  void take_times() {
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

  void take_unknown() {
    Token token = at(0);
    mark(token);
    if (!std::exchange(unknown_reported_, true)) {
      auto& report = diagnostics_.report(unexpected_character, token.location, described(token));
      for (const auto& [written, meant] : replacements)
        if (token.text == written) report.fix(fmt::format("write {}", meant));
      if (token.text == "\"") report.note("there are no strings in TEL");
    }
    emit(token);
  }

  static std::string described(const Token& token) {
    const auto byte = static_cast<unsigned>(static_cast<unsigned char>(token.text[0]));
    return byte < 0x20 || byte == 0x7F ? fmt::format("control character 0x{:02X}", byte) : quoted(token);
  }

  // ---------------------------------------------------------------------------------------- brackets

  void open(const Token& token) {
    Level level;
    level.opener = out_.code.size();
    level.kind = token.kind;
    level.operand = !operand_before();
    emit(token);
    open_.push_back(level);
    check_depth(out_.code.back());
  }

  void close(Token token) {
    const auto closer_of = [](std::size_t kind) -> std::size_t {
      return kind == Grammar::LEFT_PARENTHESIS ? Grammar::RIGHT_PARENTHESIS : Grammar::RIGHT_BRACKET;
    };
    if (open_.size() == 1) {
      mark(token);
      diagnostics_.report(unmatched_bracket, token.location, token.text);
      emit(token);
      return;
    }
    const Level level = open_.back();
    right_ -= level.tight + level.loose;
    conditionals_ -= level.conditionals;
    open_.pop_back();
    Token& opener = out_.code[level.opener];
    if (closer_of(level.kind) != token.kind) {
      mark(token);
      diagnostics_.report(mismatched_bracket, token.location, opener.text, token.text)
          .note(opener.location, "opened here");
    } else if (level.kind == Grammar::LEFT_BRACKET && level.operand) {
      if (level.shape || level.opener + 1 == out_.code.size()) opener.kind = Grammar::SHAPE_OPEN;
    }
    emit(token);
  }

  // ------------------------------------------------------------------------------------------ limits

  /// Follows how deep the parser will be in nested calls for operators; see the comments at Level.
  void count(Token& token) {
    Level& level = open_.back();
    switch (token.kind) {
      case Grammar::COMMA:
      case Grammar::SEMICOLON:
      case Grammar::COLON:
      case Grammar::PIPE:
        right_ -= level.tight + level.loose;
        conditionals_ -= level.conditionals;
        level.tight = level.loose = level.conditionals = 0;
        return;
      case Grammar::IF:
        if (previous() && previous()->kind == Grammar::ELSE)
          ++level.loose, ++right_;
        else
          ++level.conditionals, ++conditionals_;
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

  void check_depth(Token& token) {
    const bool brackets = open_.size() - 1 + conditionals_ > nesting_limit;
    if (!brackets && right_ <= right_nesting_limit) return;
    mark(token);
    if (std::exchange(too_deep_reported_, true)) return;
    diagnostics_.report(too_deep, token.location, brackets ? nesting_limit : right_nesting_limit);
  }

  const std::vector<Token>& in_;
  const std::vector<Token>& comments_;
  Diagnostics& diagnostics_;
  Resolved out_;
  std::size_t i_ = 0, comment_ = 0;
  mutable std::size_t no_names_until_ = 0;  ///< a list of names up to here is known not to end in a colon
  std::vector<Level> open_;
  std::size_t right_ = 0, conditionals_ = 0;  ///< sums over the open levels
  bool too_deep_reported_ = false, unknown_reported_ = false;
};

}  // namespace

Resolved resolve(const Tokens& tokens, Diagnostics& diagnostics) {
  return Resolver(tokens, diagnostics).run();
}

}  // namespace frontend::syntax
