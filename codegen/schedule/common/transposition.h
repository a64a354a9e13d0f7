#pragma once

#include <vector>

#include "codegen/schedule/common/lowering.h"

namespace codegen::schedule {

/// A pair of axes of an elementwise stage such that each access is contiguous along one of them. The accesses
/// along `row` are transposed with respect to those along `column`.
struct Transposition {
  const kernel::Axis *column = nullptr, *row = nullptr;
  /// The transposed loads; their indices depend on axes alone, and their fill is a literal.
  std::vector<kernel::ScalarId> loads;
  std::vector<std::size_t> stores;  ///< the transposed stores; their bounds depend on axes alone
};

/// Returns the pair along which most accesses go, with the fewest transposed ones, and among several of these
/// one whose column is that of the first store. Every store goes along one of the two axes. Returns nothing
/// if no access is transposed, or if the stage reduces, checks, or runs in order.
std::optional<Transposition> find_transposition(Buffers buffers, const kernel::Stage& stage);

/// Returns the element's offset in memory.
Index place_of(Buffers buffers, const Access& access);

/// Returns the stage's axis along which neighbours are adjacent in memory, or null if there is none.
const kernel::Axis* contiguous_axis(Buffers buffers, const kernel::Stage& stage, const Access& access);

}  // namespace codegen::schedule
