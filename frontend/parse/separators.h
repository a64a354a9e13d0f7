#pragma once

#include <string>
#include <string_view>

namespace frontend::syntax {

/// Returns whether the text is one or more extents with separators before them: `x3x4`.
bool is_extent_tail(std::string_view text);

/// Returns the extents of `2x2xTx3` with white space around each `x` that separates: behind a digit, and
/// before one unless a word in small letters ends there (`2xmax3`).
std::string separated(std::string_view text);

}  // namespace frontend::syntax
