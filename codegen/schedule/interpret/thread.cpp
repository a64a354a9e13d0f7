#include "codegen/schedule/interpret/thread.h"

#include <fmt/format.h>

#include <algorithm>

#include "codegen/schedule/interpret/cores.h"
#include "codegen/schedule/interpret/grid.h"
#include "codegen/schedule/ir/threads.h"
#include "codegen/schedule/ir/walk.h"

namespace codegen::schedule::machine {

using dlvm::Tensor;

Thread::Thread(const Thread& around, const Touch& core)
    : Evaluation(around.interpreter_.run),
      interpreter_(around.interpreter_),
      core_(core),
      memory_(around.memory_) {}

Thread::Thread(const Thread& around, Team& team, std::uint32_t number)
    : Evaluation(around.interpreter_.run),
      interpreter_(around.interpreter_),
      team_(&team),
      number_(number),
      positions_(around.positions_),
      values_(around.values_),
      memory_(around.memory_) {
  for (BufferId id = 0; id < memory_.size(); ++id)
    if (buffer(id).space == Space::registers) memory_[id] = nullptr;
}

// ---------------------------------------------------------------------------------- what scalars are made of

void Thread::set(LoopId loop, std::int64_t value) {
  if (positions_.size() <= loop) positions_.resize(loop + 1);
  positions_[loop] = value;
}

std::int64_t Thread::position(LoopId loop) { return positions_[loop]; }

Tensor Thread::scalar(ValueId id) {
  if (id < values_.size() && values_[id]) return *values_[id];
  run_.fail(fmt::format("%{} is used before it is defined", id));
  return Tensor();
}

Tensor Thread::state(std::uint32_t) {
  run_.fail("the state of a reduction outside of one");
  return Tensor();
}

// -------------------------------------------------------------------------------------------------- walking

void Thread::start(const Body& body) {
  Frame frame;
  frame.body = &body;
  frame.rank = number_;
  frames_.push_back(frame);
}

Thread::Stop Thread::run() {
  waits_at_ = nullptr;
  while (!frames_.empty() && !run_.error) {
    Frame& frame = frames_.back();
    if (frame.next == frame.body->size()) {
      if (frame.loop == nullptr || !next_trip(frame)) frames_.pop_back();
      continue;
    }
    const Statement& statement = (*frame.body)[frame.next++];
    const auto stop = execute(statement);
    if (!stop) continue;
    waits_at_ = &statement;
    return *stop;
  }
  return Stop::end;
}

std::optional<Thread::Stop> Thread::execute(const Statement& statement) {
  stop_.reset();
  std::visit([this](const auto& node) { execute(node); }, statement.node);
  return stop_;
}

void Thread::execute(const Let& let) {
  if (values_.size() <= let.id) values_.resize(let.id + 1);
  values_[let.id] = value(let.scalar);
}

void Thread::execute(const Barrier&) {
  if (team_ == nullptr) return;
  const Frame& frame = frames_.back();
  stop_ = frame.in_warp ? Stop::warp_barrier : Stop::block_barrier;
}

void Thread::execute(const Reduce& reduce) {
  if (team_ != nullptr && !frames_.back().in_threads) {
    stop_ = Stop::warp_reduction;
    return;
  }
  Components parts;
  add_parts(reduce, parts);
  if (!run_.error) take(reduce, interpreter_.reduced(reduce, parts));
}

void Thread::execute(const Sort& sort) {
  if (team_ == nullptr) return this->sort(sort);
  stop_ = frames_.back().in_warp ? Stop::warp_sort : Stop::block_sort;
}

// ---------------------------------------------------------------------------------------------------- loops

/// What loops stand in others is as verify.h says.
void Thread::execute(const Loop& loop) {
  const Frame& around = frames_.back();
  Frame frame;
  frame.loop = &loop;
  frame.body = &loop.body;
  frame.rank = around.rank;
  frame.in_warp = around.in_warp;
  frame.in_threads = around.in_threads;
  switch (loop.kind) {
    case LoopKind::serial:
    case LoopKind::unrolled:
    case LoopKind::vector:
    case LoopKind::pipeline:
      return enter_trips(loop, frame);
    case LoopKind::block:
      return run_grid(interpreter_, *this, loop);
    case LoopKind::warp:
      frame.in_warp = true;
      frame.rank = number_ % warp_threads;
      return enter_place(loop, number_ / warp_threads, frame);
    case LoopKind::thread: {
      const std::int64_t inside = interpreter_.threads_inside(loop);
      frame.in_threads = true;
      frame.rank = around.rank % inside;
      return enter_place(loop, around.rank / inside, frame);
    }
    case LoopKind::core:
      return enter_cores(loop, frame);
    case LoopKind::role:
      return run_.fail("a role loop, which does not say which warps run it");
  }
}

void Thread::enter_trips(const Loop& loop, Frame frame) {
  frame.trips = (run_.extent(loop.extent) + loop.step - 1) / loop.step;
  if (next_trip(frame)) frames_.push_back(frame);
}

void Thread::start(const Loop& loop, std::int64_t begin, std::int64_t end) {
  Frame frame;
  frame.loop = &loop;
  frame.body = &loop.body;
  enter_range(loop, begin, end, frame);
}

/// A core loop inside of another has a part of that one's range.
void Thread::enter_cores(const Loop& loop, Frame frame) {
  if (!core_) return run_cores(interpreter_, *this, loop);
  const Frame& around = frames_.back();
  const std::int64_t iterations = run_.extent(core_iterations(loop));
  const std::int64_t before = position(around.loop->id) / around.loop->step * iterations;
  enter_range(loop, std::max<std::int64_t>(around.begin - before, 0),
              std::min(around.end - before, iterations), frame);
}

void Thread::enter_range(const Loop& loop, std::int64_t begin, std::int64_t end, Frame frame) {
  if (begin >= end) return;
  frame.begin = begin, frame.end = end;
  if (loop.range_end) {
    set(loop.id, begin * loop.step);
    set(*loop.range_end, std::min(end * loop.step, run_.extent(loop.extent)));
    frame.trip = 0, frame.trips = 1;
    return frames_.push_back(frame);
  }
  const Loop* inner = inner_core_loop(loop);
  const std::int64_t iterations = inner != nullptr ? run_.extent(core_iterations(*inner)) : 1;
  frame.trip = begin / iterations - 1, frame.trips = (end + iterations - 1) / iterations;
  if (next_trip(frame)) frames_.push_back(frame);
}

/// One trip, of the thread or warp at `place`.
void Thread::enter_place(const Loop& loop, std::int64_t place, Frame frame) {
  const std::int64_t value = place * loop.step;
  if (value >= run_.extent(loop.extent)) return;
  set(loop.id, value);
  if (inside(loop.bounds)) frames_.push_back(frame);
}

/// Lanes are independent of each other, so that their order may be any.
bool Thread::next_trip(Frame& frame) {
  const Loop& loop = *frame.loop;
  while (++frame.trip < frame.trips) {
    const bool any = loop.kind == LoopKind::vector;
    const std::int64_t trip = any ? interpreter_.order.at(frame.trip, frame.trips, loop.id) : frame.trip;
    set(loop.id, trip * loop.step);
    if (!inside(loop.bounds)) continue;
    frame.next = 0;
    return true;
  }
  return false;
}

}  // namespace codegen::schedule::machine
