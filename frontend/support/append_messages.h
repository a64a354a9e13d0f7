// Messages that are collected apart, because they are sorted or chosen from before they are printed.
#pragma once

#include "dlvm/support/diagnostic.h"

namespace frontend {

/// Lets `all`, to which the messages of `part` have been appended, know that `part` has more errors than it
/// keeps.
inline void count_dropped(const dlvm::Diagnostics& part, dlvm::Diagnostics& all) {
  constexpr std::size_t limit = dlvm::Diagnostics::error_limit;
  if (part.error_count() <= limit || all.error_count() < limit) return;
  for (const dlvm::Diagnostic& each : part.all())
    if (each.kind->severity == dlvm::Severity::error) return all.append(each);  // counted, and not kept
}

}  // namespace frontend
