// A module's text as tokens, and the tokens cut into declarations.
//
// `lex` gives the tokens of the grammar. `resolve` decides what depends on context, so that the grammar
// itself needs none: number and extent splits (`784x10`), the separator `x`, the three meanings of `.`, `^T`,
// the words that start a declaration, matching brackets and the limits on nesting; and it cuts the tokens at
// declaration starts, so that one declaration's mistakes do not disturb the next.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "dlvm/support/diagnostic.h"

namespace frontend::syntax {

using dlvm::Diagnostics;
using dlvm::Location;
using dlvm::Source;

struct Token {
  std::size_t kind = 0;   ///< a token type of Grammar
  std::string_view text;  ///< into the source
  std::size_t begin = 0;  ///< the offset from the start of the text, in characters
  std::size_t end = 0;    ///< the offset after the last character
  Location location;
  bool line_first = false;       ///< no token stands before it on its line
  bool statement_first = false;  ///< a statement starts with it; set by `resolve`
  bool reported = false;         ///< a mistake here has been reported: its declaration is not parsed
};

struct Tokens {
  std::vector<Token> code;
  std::vector<Token> comments;  ///< `//`, `/* */`, `///`, in the order of the text
};

/// Tokens [first, last) of the code are one declaration; `doc` are the `///` lines before it.
struct Chunk {
  std::size_t first = 0, last = 0;
  bool is_start = false;  ///< false for what stands before the first declaration start
  /// The chunk is the header of a net or a recurrent block, up to its `{`; or begins with the `}` that ends
  /// one. What is between these are chunks of their own.
  bool opens_scope = false, closes_scope = false;
  std::string doc;
};

struct Resolved {
  std::vector<Token> code;
  std::vector<Chunk> chunks;
};

/// Above this many brackets, prefix operators and `if`s inside each other a program is refused.
inline constexpr std::size_t nesting_limit = 450;
/// The same for what nests to the right without brackets: a chain of `^`, `else if`, `not` or `-`.
inline constexpr std::size_t right_nesting_limit = 3000;

/// Tokens of one declaration, and bytes of one source: what the compiler needs for them is some hundred times
/// that.
inline constexpr std::size_t declaration_limit = 1'000'000;
inline constexpr std::size_t source_limit = std::size_t{8} << 20;

/// Returns false, with errors reported, if the text is too large, holds a NUL byte or is not UTF-8.
bool check_encoding(const Source& source, Diagnostics& diagnostics);
/// Returns the tokens of a text that has passed `check_encoding`. Unexpected characters are tokens of kind
/// UNKNOWN.
Tokens lex(const Source& source, Diagnostics& diagnostics);
Resolved resolve(const Tokens& tokens, Diagnostics& diagnostics);

/// Returns whether an operand may end with this token, so that an operator or the next declaration must
/// follow.
bool ends_operand(const Token& token);
/// Returns the token as a message quotes it: `'x'`, "the end of the file".
std::string quoted(const Token& token);

}  // namespace frontend::syntax
