#include "codegen/schedule/common/lowering.h"

#include <algorithm>

namespace codegen::schedule {

Loop Lowering::serial(const kernel::Axis& axis, Renaming& renaming) {
  Loop loop;
  loop.id = next_loop++;
  loop.name = axis.name;
  loop.extent = axis.extent;
  renaming.axes[axis.id] = variable(loop.id);
  return loop;
}

BufferId Lowering::add_buffer(Buffer buffer) {
  // A number where the name is taken: the text goes by names.
  const std::string name = buffer.name;
  const auto taken = [&](const Buffer& other) { return other.name == buffer.name; };
  for (int i = 1; std::any_of(schedule.buffers.begin(), schedule.buffers.end(), taken); ++i)
    buffer.name = name + std::to_string(i);
  schedule.buffers.push_back(std::move(buffer));
  return static_cast<BufferId>(schedule.buffers.size() - 1);
}

bool has_loaded(const Access& access) {
  std::set<LoopId> loops;
  std::set<ValueId> values;
  collect(access, loops, values);
  return !values.empty();
}

bool runs_in_order(const kernel::Stage& stage) {
  return std::any_of(stage.stores.begin(), stage.stores.end(), [](const auto& store) {
    return store.combine || (has_loaded(store.access) && !store.distinct);
  });
}

}  // namespace codegen::schedule
