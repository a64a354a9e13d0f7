#pragma once

#include <map>
#include <set>

#include "codegen/schedule/ir/schedule.h"

/// Schedules ask these questions of indices, accesses and scalars. The algebra of indices is the kernel's.
namespace codegen::schedule {

using kernel::constant_index;
/// The value of the loop's variable.
inline Index variable(LoopId loop) { return kernel::axis_index(loop); }

/// The index with its axes (or loops) and scalars replaced; an axis that is not in `axes` stays.
struct Renaming {
  std::map<kernel::AxisId, Index> axes;
  std::map<ValueId, ValueId> values;
};
Index rename(const Index& index, const Renaming& renaming);
Access rename(const Access& access, const Renaming& renaming);
std::vector<Bound> rename(const std::vector<Bound>& bounds, const Renaming& renaming);
Scalar rename(const Scalar& scalar, const Renaming& renaming);
/// Renames loops and values where the statement uses them; not in the body of a loop.
void rename(Statement& statement, const Renaming& renaming);

/// What each depends on, quotients included.
void collect(const Index& index, std::set<LoopId>& loops, std::set<ValueId>& values);
void collect(const Access& access, std::set<LoopId>& loops, std::set<ValueId>& values);
void collect(const std::vector<Bound>& bounds, std::set<LoopId>& loops, std::set<ValueId>& values);
void collect(const Scalar& scalar, std::set<LoopId>& loops, std::set<ValueId>& values);

/// The element's place in the buffer, before swizzling.
Index offset(const Access& access, const Layout& layout);
/// By how much `index` grows with the loop's variable, where that is the same everywhere.
std::optional<Extent> stride(const Index& index, LoopId loop);

}  // namespace codegen::schedule
