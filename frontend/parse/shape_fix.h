// Fixes of syntax errors in shapes and ranges, which quote their extents.
#pragma once

#include <optional>
#include <string>

#include "dlvm/support/diagnostic.h"
#include "frontend/parse/likely_fix.h"

namespace frontend::syntax {

/// Returns `[N x 3]` for `x: in(N, 3)`, `x as (N, 3)`, `x: in[[N, 3]]` and `x: in[N][3]`; nothing if the
/// error is at no such shape.
std::optional<dlvm::Fix> fix_of_shape_elsewhere(const Place& place);
/// Returns `[N x 3]` for `[N, 3]`. The error is at a comma.
dlvm::Fix fix_of_shape(const Place& place);
/// Returns `1..4` for `range(1, 4)`. The error is behind it, where a range is not complete.
dlvm::Fix fix_of_range(const Place& place);
/// Returns what takes the place of a `for` that stands in no reduction.
std::string fix_of_for(const Place& place);

}  // namespace frontend::syntax
