#pragma once

#include <string>
#include <vector>

#include "frontend/parse/token.h"

namespace frontend::syntax {

/// Returns a line break and the white space at the start of the next line.
std::string line_with_indent(std::size_t indent);

/// How the body of a function is laid out. A block that is written on one line stays on one; in every other
/// block each statement starts a line.
class BlockLayout {
 public:
  /// `code` are the tokens of one declaration, which starts `indent` columns from the left.
  BlockLayout(const std::vector<Token>& code, std::size_t indent);

  /// Returns whether token `i` starts a statement or ends a block.
  bool is_boundary(std::size_t i) const;
  /// Returns whether token `i` stands on the line of the token before it, wherever it was written.
  bool joins(std::size_t i) const;
  /// Returns what stands before token `i`, which is a boundary within `depth` brackets. `blank` says that an
  /// empty line stood there.
  std::string before(std::size_t i, std::size_t depth, bool blank) const;
  /// The same behind a comment that ends its line, for any token.
  std::string after_comment(std::size_t i, std::size_t depth, bool blank) const;
  /// Returns what stands before a comment in front of token `i`, where the comment has a line of its own.
  std::string before_comment(std::size_t i, std::size_t depth, bool blank) const;

 private:
  std::string line_before(std::size_t i, std::size_t depth, bool blank) const;
  std::string line(std::size_t indent) const { return line_with_indent(indent_ + indent); }

  const std::vector<Token>& code_;
  std::size_t indent_;
  std::vector<bool> on_one_line_;  ///< for each token: the innermost block around it is on one line
};

}  // namespace frontend::syntax
