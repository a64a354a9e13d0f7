#include "codegen/target/gpu/grid.h"

#include <algorithm>
#include <map>

#include "codegen/schedule/ir/walk.h"
#include "codegen/schedule/transform/rename.h"

namespace codegen::target::gpu {
namespace {

using schedule::Body;
using schedule::Buffer;
using schedule::BufferId;
using schedule::Schedule;
using schedule::Space;

/// How a body uses a buffer.
struct Use {
  BufferId buffer = 0;
  bool written = false;
};

std::vector<Use> uses_of(Body& body) {
  std::vector<Use> uses;
  schedule::visit_buffer_accesses(body, [&](const schedule::BufferAccess& place) {
    const auto is_this = [&](const Use& use) { return use.buffer == place.buffer; };
    auto known = std::find_if(uses.begin(), uses.end(), is_this);
    if (known == uses.end()) known = uses.insert(known, Use{place.buffer, false});
    known->written = known->written || place.written;
  });
  return uses;
}

/// Removes the allocations of buffers that nothing uses.
void renumber_allocations(Body& body, const std::map<BufferId, BufferId>& numbers) {
  schedule::rewrite(body, [&](schedule::Statement statement, Body& result) {
    if (auto* allocate = std::get_if<schedule::Allocate>(&statement.node)) {
      if (!numbers.contains(allocate->buffer)) return;
      allocate->buffer = numbers.at(allocate->buffer);
    }
    result.push_back(std::move(statement));
  });
}

}  // namespace

GridSchedule extract_grid(const Schedule& whole, const schedule::Loop& grid) {
  schedule::LoopId next_loop = 0;
  schedule::ValueId next_value = 0;
  Body body = schedule::copy_of({{grid}}, {}, next_loop, next_value);
  std::vector<Use> uses = uses_of(body);
  const auto is_argument = [&](const Use& use) {
    const Space space = whole.buffers[use.buffer].space;
    return space == Space::argument || space == Space::arena;
  };
  const auto local = std::stable_partition(uses.begin(), uses.end(), is_argument);
  GridSchedule result;
  result.schedule.name = whole.name;
  result.schedule.arguments = static_cast<std::uint32_t>(local - uses.begin());
  std::map<BufferId, BufferId> numbers;
  for (const Use& use : uses) {
    numbers[use.buffer] = static_cast<BufferId>(numbers.size());
    Buffer& buffer = result.schedule.buffers.emplace_back(whole.buffers[use.buffer]);
    if (!is_argument(use)) continue;
    buffer.space = Space::argument;
    buffer.written = use.written;
    result.arguments.push_back(use.buffer);
  }
  schedule::visit_buffer_accesses(
      body, [&](const schedule::BufferAccess& place) { place.buffer = numbers.at(place.buffer); });
  renumber_allocations(body, numbers);
  result.schedule.variants.push_back({{}, std::move(body)});
  return result;
}

}  // namespace codegen::target::gpu
