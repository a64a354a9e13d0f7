#pragma once

#include <optional>

#include "dlvm/analysis/loops.h"

namespace dlvm {

/// The least and the most that is added.
struct Steps {
  std::int64_t least = 0, most = 0;
};

/// Returns how much more the value is than the argument of the header is in the same round: literals are
/// added to it on each way that leads from the one to the other. The value may meet others in arguments of
/// blocks, and be chosen by selects. Returns nothing where it is made in another way. The sums may wrap
/// around.
std::optional<Steps> steps_to(const Value* value, const Argument& argument, const Loop& loop,
                              const ControlFlow& flow);

/// Returns how much an integer scalar that a loop carries grows from one round to the next, whichever way the
/// loop goes on; nothing where it is made in another way. It may wrap around.
std::optional<Steps> steps_of(const Argument& argument, const Loop& loop, const ControlFlow& flow);

/// An integer scalar that a loop carries: `start` when the loop is entered, and `step` more each time round.
struct Induction {
  Value* start = nullptr;
  std::int64_t step = 0;
};

/// Returns how an argument of the header changes; nothing where it is no induction variable, or where the
/// loop has several entries. It may wrap around.
std::optional<Induction> induction(const Argument& argument, const Loop& loop, const ControlFlow& flow);

}  // namespace dlvm
