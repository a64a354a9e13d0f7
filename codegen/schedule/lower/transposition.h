#pragma once

#include <vector>

#include "codegen/schedule/lower/lowering.h"

namespace codegen::schedule {

/// That an elementwise stage writes memory along one axis and reads some of it along another.
struct Transposition {
  const kernel::Axis* column = nullptr;  ///< neighbours along it lie together in all that is stored
  const kernel::Axis* row = nullptr;     ///< … in what the turned loads read
  std::vector<kernel::ScalarId> turned;  ///< loads with steps between neighbours along `column`
};

/// Nothing where the stage has no turned load, where its stores are contiguous along different axes, and
/// where it reduces, checks, or runs in order. Of several axes that loads are contiguous along, `row` is that
/// of the most. Places of turned loads depend on the stage's axes alone; their fill is a literal.
std::optional<Transposition> find_transposition(const Lowering& lowering, const kernel::Stage& stage);

/// The element's place in memory.
Index place_of(const Lowering& lowering, const Access& access);

}  // namespace codegen::schedule
