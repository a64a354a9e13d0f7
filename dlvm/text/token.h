// A module's text as tokens, and the tokens cut into items and statements, so that a mistake in one does not
// disturb the next and a parse tree is never larger than one line needs.
#pragma once

#include <string_view>
#include <vector>

#include "dlvm/support/diagnostic.h"

namespace dlvm::reading {

struct Token {
  std::size_t kind = 0;   ///< a token type of the grammar
  std::string_view text;  ///< into the source
  Location location;
  bool line_first = false;  ///< no token stands before it on its line
};

/// Tokens [first, last); empty if they are not to be parsed.
struct Chunk {
  std::size_t first = 0, last = 0;
};

struct Item {
  Chunk header;
  bool has_body = false;
  std::vector<Chunk> statements;
};

struct Cut {
  std::vector<Token> tokens;  ///< the last is the end of the text
  std::vector<Item> items;
};

inline constexpr std::size_t nesting_limit = 64;

/// Reports what cannot be cut: encoding, size, nesting, braces.
Cut cut(const Source& source, Diagnostics& diagnostics);

}  // namespace dlvm::reading
