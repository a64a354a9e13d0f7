#pragma once

#include <set>
#include <string_view>

#include "frontend/parse/token.h"

namespace frontend::syntax {

/// The place at which the text did not fit the grammar.
struct Failure {
  std::size_t token = 0;           ///< index in the chunk; its length: the end
  std::size_t rule = 0;            ///< the rule of Grammar
  std::set<std::size_t> expected;  ///< token kinds that would have fitted
};

/// Says what was expected in the words of the language's users, and what they probably meant.
/// `reserved_names` holds the reserved words that the module declares as names; their uses are not reported
/// again.
void report_syntax_error(const Failure& failure, const Resolved& resolved, const Chunk& chunk,
                         std::set<std::string_view>& reserved_names, Diagnostics& diagnostics);

}  // namespace frontend::syntax
