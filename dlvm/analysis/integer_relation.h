#pragma once

#include <optional>

#include "dlvm/ir/function.h"

namespace dlvm {

/// What a comparison says of two integer scalars: `low` < `high`, `low` <= `high`, or that they differ.
struct IntegerRelation {
  enum class Kind : std::uint8_t { less, less_or_equal, different };
  const Value *low, *high;
  Kind kind;
};

/// Returns what follows from the instruction's result, which is `holds`, if it compares integer scalars;
/// nothing for other instructions, and where all that follows is that the two are equal.
std::optional<IntegerRelation> integer_relation(const Instruction& test, bool holds);

}  // namespace dlvm
