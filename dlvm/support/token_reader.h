#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace dlvm {

/// A token of a text that people write for tests and debugging: words, numbers and single characters;
/// `$name`,
/// `%1`, `@name` and `"name"` are one token each. What stands behind `//` on a line is left out.
struct Token {
  enum class Kind : std::uint8_t { end, word, number, axis, scalar, global, symbol };
  Kind kind = Kind::end;
  std::string text;  ///< without the character that tells the kind
  std::size_t line = 1;
};

/// The tokens of a text, read from first to last by a parser of recursive descent, which derives from it. The
/// first error wins; after it `ok` is false and nothing is accepted, so that every loop over `ok` ends.
class TokenReader {
 public:
  explicit TokenReader(std::string_view text);

 protected:
  bool ok() const { return error_.empty(); }
  /// Returns the place and the text of the first mistake: `line 3: expected ')', found 'x'`.
  const std::string& error() const { return error_; }
  /// Returns the next token or one after it. The last token is the end; `ahead` must not go beyond it.
  const Token& peek(std::size_t ahead = 0) const { return tokens_[next_ + ahead]; }
  bool at_end() const { return peek().kind == Token::Kind::end; }
  /// Returns whether the next token is this word or character.
  bool at(std::string_view text) const;
  void advance();
  /// Takes the word or character if it is the next token.
  bool accept(std::string_view text);
  /// Takes the word or character; another token is an error.
  void symbol(std::string_view text);
  void word(std::string_view text) { symbol(text); }
  /// Takes a token of the kind and gives its text; another one is an error, and the text empty.
  std::string take(Token::Kind kind);
  std::int64_t number_of(const std::string& text);
  std::int64_t integer() { return number_of(take(Token::Kind::number)); }

  /// Reports that the text has something else instead of `expected`.
  void fail(std::string_view expected);
  void fail_with(std::string_view text);

 private:
  std::string error_;
  std::vector<Token> tokens_;
  std::size_t next_ = 0;
};

}  // namespace dlvm
