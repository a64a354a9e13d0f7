#pragma once

#include <vector>

#include "codegen/schedule/common/lowering.h"

namespace codegen::schedule {

/// That an elementwise stage has some of memory contiguous along one axis and some along another: what it
/// reads and writes along `row` is turned, for those that go along `column`.
struct Transposition {
  const kernel::Axis *column = nullptr, *row = nullptr;
  std::vector<kernel::ScalarId> loads;  ///< turned; places depend on axes alone, the fill is a literal
  std::vector<std::size_t> stores;      ///< turned; bounds depend on axes alone
};

/// Of all pairs of axes the one that most accesses go along, with the fewest turned ones, columns rather
/// those of the first store. Every store goes along one of the two. Nothing where no access is turned, or
/// where the stage reduces, checks, or runs in order.
std::optional<Transposition> find_transposition(const Lowering& lowering, const kernel::Stage& stage);

/// The element's place in memory.
Index place_of(const Lowering& lowering, const Access& access);

/// The stage's axis whose neighbours lie next to each other in memory; null where there is none.
const kernel::Axis* contiguous_axis(const Lowering& lowering, const kernel::Stage& stage,
                                    const Access& access);

}  // namespace codegen::schedule
