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

/// What an index depends on, quotients included.
void collect(const Index& index, std::set<LoopId>& loops, std::set<ValueId>& values);
void collect(const Access& access, std::set<LoopId>& loops, std::set<ValueId>& values);
void collect(const std::vector<Bound>& bounds, std::set<LoopId>& loops, std::set<ValueId>& values);

/// The element's place in the buffer, before swizzling.
Index offset(const Access& access, const Layout& layout);
/// By how much `index` grows with the loop's variable, where that is the same everywhere.
std::optional<Extent> stride(const Index& index, LoopId loop);

/// Calls `visit` with every index in the scalar's definition.
template <typename Visit>
void visit_indices(const Scalar& scalar, const Visit& visit) {
  if (const auto* position = std::get_if<Scalar::Position>(&scalar.definition)) visit(position->index);
  if (const auto* random = std::get_if<Scalar::Random>(&scalar.definition)) visit(random->index);
  if (const auto* check = std::get_if<Scalar::Check>(&scalar.definition))
    for (const Index& index : check->position) visit(index);
  if (const auto* load = std::get_if<Scalar::Load>(&scalar.definition)) {
    for (const Index& index : load->access.indices) visit(index);
    for (const Bound& bound : load->bounds) visit(bound.index);
  }
}
/// The operands of a scalar, in the order of its definition.
std::vector<ValueId> operands(const Scalar& scalar);
/// Everything that the scalar's definition depends on.
void collect(const Scalar& scalar, std::set<LoopId>& loops, std::set<ValueId>& values);
Scalar rename(const Scalar& scalar, const Renaming& renaming);

}  // namespace codegen::schedule
