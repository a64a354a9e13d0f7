#pragma once

#include <map>
#include <set>

#include "codegen/schedule/ir/schedule.h"

/// Functions on the indices, accesses and scalars of schedules. Kernels define the algebra of indices
/// (kernel/ir/index.h).
namespace codegen::schedule {

using kernel::constant_index;
/// Returns the value of the loop's variable.
inline Index variable(LoopId loop) { return kernel::axis_index(loop); }

/// The replacements of axes (or loops) and scalars in an index; an axis that is not in `axes` stays.
struct Renaming {
  std::map<kernel::AxisId, Index> axes;
  std::map<ValueId, ValueId> values;
};
/// Return the same with the replacements in place of its axes (or loops) and scalars.
Index rename(const Index& index, const Renaming& renaming);
Access rename(const Access& access, const Renaming& renaming);
std::vector<Bound> rename(const std::vector<Bound>& bounds, const Renaming& renaming);
Scalar rename(const Scalar& scalar, const Renaming& renaming);
/// Renames loops and values where the statement uses them; not in the body of a loop.
void rename(Statement& statement, const Renaming& renaming);

/// Adds all loops and values that the index depends on, also inside quotients.
void collect(const Index& index, std::set<LoopId>& loops, std::set<ValueId>& values);
void collect(const Access& access, std::set<LoopId>& loops, std::set<ValueId>& values);
void collect(const std::vector<Bound>& bounds, std::set<LoopId>& loops, std::set<ValueId>& values);
void collect(const Scalar& scalar, std::set<LoopId>& loops, std::set<ValueId>& values);

/// Returns the element's offset in the buffer, before swizzling.
Index offset(const Access& access, const Layout& layout);
/// Returns the increment of `index` for each step of the loop's variable, or nothing if it is not the same
/// everywhere.
std::optional<Extent> stride(const Index& index, LoopId loop);

}  // namespace codegen::schedule
