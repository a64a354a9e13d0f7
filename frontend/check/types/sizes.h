#pragma once

#include "dlvm/support/diagnostic.h"
#include "frontend/check/checked_module.h"

namespace frontend::check {

/// No tensor may be larger.
inline constexpr std::int64_t max_bytes = std::int64_t{1} << 47;

/// Reports a tensor that is larger for all values of its dimensions. True where it is not.
bool check_size(const Type& type, Location location, dlvm::Diagnostics& diagnostics);

}  // namespace frontend::check
