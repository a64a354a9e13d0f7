#include "codegen/schedule/transform/variants.h"

#include <algorithm>
#include <map>

#include "codegen/schedule/ir/walk.h"

namespace codegen::schedule {
namespace {

/// Buffers get other numbers.
using Numbers = std::map<BufferId, BufferId>;

bool is_alike(const Buffer& a, const Buffer& b) {
  return a.name == b.name && a.element == b.element && a.space == b.space && a.shape == b.shape &&
         a.layout.strides == b.layout.strides;
}

/// The number of the buffer in the schedule: in the workspace that of one alike, else a new one, with another
/// name where its own is taken.
BufferId add(Schedule& schedule, Buffer buffer) {
  for (BufferId id = schedule.arguments; id < schedule.buffers.size(); ++id)
    if (buffer.space == Space::arena && is_alike(schedule.buffers[id], buffer)) return id;
  const std::string name = buffer.name;
  const auto taken = [&](const Buffer& other) { return other.name == buffer.name; };
  for (int i = 1; std::any_of(schedule.buffers.begin(), schedule.buffers.end(), taken); ++i)
    buffer.name = name + "." + std::to_string(i);
  schedule.buffers.push_back(std::move(buffer));
  return static_cast<BufferId>(schedule.buffers.size() - 1);
}

}  // namespace

Schedule merge_variants(Schedule first, Schedule second) {
  if (first.variants.back().guards.empty()) return first;
  Numbers numbers;
  for (BufferId id = 0; id < second.buffers.size(); ++id)
    numbers[id] = id < first.arguments ? id : add(first, std::move(second.buffers[id]));
  for (Variant& variant : second.variants) {
    visit_buffer_accesses(variant.body,
                          [&](const BufferAccess& place) { place.buffer = numbers.at(place.buffer); });
    walk<Allocate>(variant.body, [&](Allocate& allocate) { allocate.buffer = numbers.at(allocate.buffer); });
    first.variants.push_back(std::move(variant));
  }
  return first;
}

LoopId next_loop(const Schedule& schedule) {
  LoopId next = 0;
  for (const Variant& variant : schedule.variants)
    walk<Loop>(variant.body, [&](const Loop& loop) {
      next = std::max({next, loop.id + 1, loop.range_end.value_or(0) + 1});
    });
  return next;
}

std::size_t grid_count(const Schedule& schedule) {
  const Body& body = schedule.variants.back().body;
  return static_cast<std::size_t>(std::count_if(body.begin(), body.end(), [](const Statement& statement) {
    const auto* loop = std::get_if<Loop>(&statement.node);
    return loop != nullptr && loop->kind == LoopKind::block;
  }));
}

}  // namespace codegen::schedule
