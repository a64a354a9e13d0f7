#pragma once

#include <optional>

#include "dlvm/analysis/loops.h"

namespace dlvm {

/// An integer scalar that a loop carries: `start` when the loop is entered, and `step` more each time round.
struct Induction {
  Value* start = nullptr;
  std::int64_t step = 0;
};

/// Returns how an argument of the header changes; nothing where it is no induction variable, or where the
/// loop has several entries or latches. It may wrap around.
std::optional<Induction> induction(const Loop& loop, const Argument& argument);

}  // namespace dlvm
