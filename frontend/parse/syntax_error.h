#pragma once

#include <set>

#include "frontend/parse/token.h"

namespace frontend::syntax {

/// The place at which the text did not fit the grammar.
struct Failure {
  std::size_t token = 0;           ///< index in the chunk; its length: the end
  std::size_t rule = 0;            ///< the rule of Grammar
  std::set<std::size_t> expected;  ///< token kinds that would have fitted
};

/// Says what was expected in the words of the language's users, and what they probably meant.
void report_syntax_error(const Failure& failure, const Resolved& resolved, const Chunk& chunk,
                         Diagnostics& diagnostics);

}  // namespace frontend::syntax
