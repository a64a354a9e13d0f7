#pragma once

#include <vector>

#include "codegen/schedule/common/lowering.h"

namespace codegen::schedule {

/// A pair of axes of an elementwise stage, along either of which some of what it reads and writes is
/// contiguous: the accesses along `row` are transposed for those along `column`.
struct Transposition {
  const kernel::Axis *column = nullptr, *row = nullptr;
  std::vector<kernel::ScalarId> loads;  ///< transposed; places depend on axes alone, the fill is a literal
  std::vector<std::size_t> stores;      ///< transposed; bounds depend on axes alone
};

/// Returns the pair that the largest number of accesses go along, with the fewest transposed ones; if several
/// do, one whose column is the first store's. Every store goes along one of the two. Returns nothing where no
/// access is transposed, or where the stage reduces, checks, or runs in order.
std::optional<Transposition> find_transposition(Buffers buffers, const kernel::Stage& stage);

/// Returns the element's offset in memory.
Index place_of(Buffers buffers, const Access& access);

/// Returns the stage's axis whose neighbours are next to each other in memory; null where there is none.
const kernel::Axis* contiguous_axis(Buffers buffers, const kernel::Stage& stage, const Access& access);

}  // namespace codegen::schedule
