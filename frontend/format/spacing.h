#pragma once

#include <string>
#include <vector>

#include "frontend/parse/token.h"

namespace frontend::syntax {

/// Writes the tokens of one declaration one after the other, with the white space that belongs between them.
class Spacing {
 public:
  /// `code` are the declaration's tokens up to and including the last one that will be written.
  explicit Spacing(const std::vector<Token>& code) : code_(code) {}

  /// Returns the white space before token `i` and its text. Tokens must be asked for in order.
  std::string next(std::size_t i);
  /// Returns the token's text without white space before it: the token starts a line.
  std::string first(std::size_t i);
  std::size_t depth() const { return frames_.size(); }

 private:
  enum class Frame { parenthesis, index, literal, shape, plain_shape, block, types };

  bool space_before(std::size_t i) const;
  bool tight() const;
  bool is_prefix(std::size_t i) const;
  bool opens_shape(std::size_t i) const;
  bool only_numbers(std::size_t i) const;
  void enter(std::size_t i);

  const std::vector<Token>& code_;
  std::vector<Frame> frames_;
};

}  // namespace frontend::syntax
