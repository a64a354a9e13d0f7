#pragma once

#include <vector>

#include "codegen/schedule/ir/index.h"

namespace codegen::schedule {

/// Several axes that are collapsed into one, row-major.
struct AxisGroup {
  std::vector<const kernel::Axis*> axes;
  Extent extent = 1;

  /// Adds the axis as the innermost one.
  void add(const kernel::Axis& axis);
  /// Binds the axes' indices for the position `index` in the group.
  void bind(const Index& index, Renaming& renaming) const;
};

/// Returns the stage's axes of that kind.
AxisGroup axes_of(const kernel::Stage& stage, kernel::AxisKind kind);

}  // namespace codegen::schedule
