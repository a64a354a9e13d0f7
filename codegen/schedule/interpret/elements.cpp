// Memory and single elements, as one thread sees them.
#include <fmt/format.h>

#include <cstring>

#include "codegen/schedule/interpret/thread.h"
#include "codegen/schedule/ir/threads.h"

namespace codegen::schedule::machine {

using dlvm::Tensor;

/// Registers are the thread's own. Other memory is that of the trip of the loops around: of the block, the
/// warp, the thread; shared memory always the block's.
void Thread::execute(const Allocate& allocate) {
  const BufferId id = allocate.buffer;
  const Space space = buffer(id).space;
  const Placement& placed = placement(id);
  const Frame& frame = frames_.back();
  const bool of_block = space == Space::shared || !(frame.in_warp || frame.in_threads);
  if (team_ == nullptr || space == Space::registers || (frame.in_threads && !of_block)) {
    memory_[id] = std::make_shared<Memory>(placed.bytes());
    if (team_ == nullptr && space != Space::registers) memory_[id]->touches = placed.touches();
    return;
  }
  TeamMemory& memory = of_block ? team_->memory : team_->warp_memory[number_ / warp_threads];
  memory_[id] = memory.allocate(id, allocations_[id]++, placed);
}

const std::vector<std::int64_t>& Thread::values(const std::vector<Index>& indices) {
  indices_.clear();
  for (const Index& i : indices) indices_.push_back(index(i));
  return indices_;
}

std::optional<Element> Thread::element(BufferId id, std::span<const std::int64_t> indices) {
  const Placement& placed = placement(id);
  if (const auto axis = placed.outside(indices)) {
    run_.fail(fmt::format("index {} of axis {} is outside of {}", indices[*axis], *axis, buffer(id).name));
    return std::nullopt;
  }
  return placed.layout() ? own_element(id, indices) : element_at(id, placed.offset(indices));
}

std::optional<Element> Thread::element_at(BufferId id, std::int64_t offset) {
  const auto place = placement(id).place(offset);
  const std::string& name = buffer(id).name;
  if (memory_[id] == nullptr)
    run_.fail(name + " is not allocated here");
  else if (!place || *place + dlvm::info(buffer(id).element).bytes > memory_[id]->bytes.size())
    run_.fail(fmt::format("offset {} is outside of the memory of {}", offset, name));
  else
    return Element{id, *place};
  return std::nullopt;
}

/// The element's memory, with the touch on record.
Memory* Thread::touched(const Element& element, bool writes) {
  Memory& memory = *memory_[element.buffer];
  const auto name = [&] { return placement(element.buffer).name(element.place); };
  if (!memory.landing.empty() && memory.landing.count(element.place) > 0)
    run_.fail(fmt::format("{} is {} while a copy to it is under way", name(), writes ? "written" : "read"));
  if ((team_ == nullptr && !core_) || memory.touches == nullptr) return &memory;
  if (core_) {
    if (const auto other = memory.touches->add(element.place, *core_, writes))
      run_.fail(fmt::format("{} is touched in range {} of a core loop and {} in range {}", name(),
                            other->block, writes ? "written" : "read", core_->block));
    return &memory;
  }
  const Touch here{team_->grid, team_->block, number_, team_->barriers,
                   team_->warp_barriers[number_ / warp_threads]};
  if (const auto other = memory.touches->add(element.place, here, writes))
    run_.fail(fmt::format(
        "{} is touched by thread {} of block {} and {} by thread {} of block {}, with no barrier between",
        name(), other->thread, other->block, writes ? "written" : "read", here.thread, here.block));
  return &memory;
}

Tensor Thread::read(const Element& element) {
  const Memory* memory = touched(element, false);
  return kernel::element_at(buffer(element.buffer).element, memory->bytes.data() + element.place);
}

void Thread::write(const Element& element, const Tensor& value) {
  if (value.element() != buffer(element.buffer).element)
    return run_.fail("a store of another type to " + buffer(element.buffer).name);
  Memory* memory = touched(element, true);
  std::memcpy(memory->bytes.data() + element.place, value.data(), value.byte_count());
}

Tensor Thread::load(const Access& access, ElementType type) {
  const auto from = element(access.buffer, values(access.indices));
  if (run_.error || !from) return Tensor(type, {});
  if (type != buffer(access.buffer).element)
    run_.fail("a load of another type from " + buffer(access.buffer).name);
  return read(*from);
}

void Thread::execute(const Store& store) {
  if (!inside(store.bounds)) return;
  const auto to = element(store.access.buffer, values(store.access.indices));
  if (run_.error || !to) return;
  const Tensor value = scalar(store.value);
  write(*to, store.combine ? combine(*store.combine, read(*to), value) : value);
}

}  // namespace codegen::schedule::machine
