#include "codegen/schedule/interpret/grid.h"

#include <fmt/format.h>

#include <algorithm>

#include "codegen/schedule/ir/threads.h"
#include "codegen/schedule/ir/walk.h"

namespace codegen::schedule::machine {
namespace {

using Stop = Thread::Stop;
constexpr auto warp = static_cast<std::size_t>(warp_threads);

class Block {
 public:
  Block(InterpreterRun& interpreter, const Thread& around, Team& team, std::size_t threads, const Body& body)
      : interpreter_(interpreter), team_(team), stops_(threads), waits_(threads, false) {
    threads_.reserve(threads);
    for (std::uint32_t i = 0; i < threads; ++i) {
      threads_.emplace_back(around, team, i);
      threads_.back().start(body);
    }
  }

  void run() {
    for (std::uint32_t round = 0; !interpreter_.run.error; ++round) {
      run_threads(round);
      if (std::all_of(stops_.begin(), stops_.end(), [](Stop stop) { return stop == Stop::end; })) return;
      bool released = false;
      for (std::size_t first = 0; first < threads_.size(); first += warp) released |= release_warp(first);
      if (!released && !release_block()) return fail();
    }
  }

 private:
  void run_threads(std::uint32_t round) {
    const auto n = static_cast<std::int64_t>(threads_.size());
    for (std::int64_t i = 0; i < n && !interpreter_.run.error; ++i) {
      const auto thread = static_cast<std::size_t>(interpreter_.order.at(i, n, round));
      if (waits_[thread]) continue;
      stops_[thread] = threads_[thread].run();
      waits_[thread] = true;
    }
  }

  /// Whether all threads of these wait at the same statement for that.
  bool all_at(std::size_t first, std::size_t count, Stop stop) const {
    for (std::size_t i = first; i < first + count; ++i)
      if (stops_[i] != stop || threads_[i].waits_at() != threads_[first].waits_at()) return false;
    return true;
  }
  void release(std::size_t first, std::size_t count) {
    std::fill_n(waits_.begin() + static_cast<std::ptrdiff_t>(first), count, false);
  }

  bool release_warp(std::size_t first) {
    const bool reduces = all_at(first, warp, Stop::warp_reduction),
               sorts = all_at(first, warp, Stop::warp_sort);
    if (!reduces && !sorts && !all_at(first, warp, Stop::warp_barrier)) return false;
    if (sorts)
      threads_[first].sort(std::get<Sort>(threads_[first].waits_at()->node));
    else if (reduces)
      reduce(first, std::get<Reduce>(threads_[first].waits_at()->node));
    else
      ++team_.warp_barriers[first / warp];
    release(first, warp);
    return true;
  }

  /// From registers, of the threads' elements. In memory all threads read all; two of them meet whatever any
  /// of them would (`Touches`).
  void reduce(std::size_t first, const Reduce& reduce) {
    const bool in_registers =
        interpreter_.schedule.buffers[reduce.from.front().buffer].space == Space::registers;
    Components parts;
    for (std::size_t i = first; i < first + (in_registers ? warp : 2); ++i) {
      if (!in_registers) parts.clear();
      in_registers ? threads_[i].add_part(reduce, parts) : threads_[i].add_parts(reduce, parts);
    }
    if (interpreter_.run.error) return;
    const auto& result = interpreter_.reduced(reduce, parts);
    for (std::size_t i = first; i < first + warp; ++i) threads_[i].take(reduce, result);
  }

  bool release_block() {
    const bool sorts = all_at(0, threads_.size(), Stop::block_sort);
    if (!sorts && !all_at(0, threads_.size(), Stop::block_barrier)) return false;
    if (sorts)
      threads_[0].sort(std::get<Sort>(threads_[0].waits_at()->node));
    else
      ++team_.barriers;
    release(0, threads_.size());
    return true;
  }

  void fail() {
    const auto waits = [](Stop stop) { return stop != Stop::end; };
    const auto one =
        static_cast<std::size_t>(std::find_if(stops_.begin(), stops_.end(), waits) - stops_.begin());
    const bool whole = stops_[one] == Stop::block_barrier || stops_[one] == Stop::block_sort;
    const std::size_t first = whole ? 0 : one / warp * warp, count = whole ? threads_.size() : warp;
    for (std::size_t i = first; i < first + count; ++i) {
      if (stops_[i] == stops_[one] && threads_[i].waits_at() == threads_[one].waits_at()) continue;
      return interpreter_.run.fail(fmt::format("thread {} waits for thread {} of block {}, which {}", one, i,
                                               team_.block,
                                               waits(stops_[i]) ? "waits elsewhere" : "has ended"));
    }
  }

  InterpreterRun& interpreter_;
  Team& team_;
  std::vector<Thread> threads_;
  std::vector<Stop> stops_;
  std::vector<bool> waits_;
};

}  // namespace

void run_grid(InterpreterRun& interpreter, Thread& around, const Loop& loop) {
  const std::vector<const Loop*> loops = perfect_nest(loop);
  std::int64_t blocks = 1;
  for (const Loop* each : loops)
    blocks *= (interpreter.run.extent(each->extent) + each->step - 1) / each->step;
  const auto threads = static_cast<std::size_t>(block_threads(loop));
  const std::uint32_t grid = ++interpreter.grids;
  for (std::int64_t i = 0; i < blocks && !interpreter.run.error; ++i) {
    const std::int64_t block = interpreter.order.at(i, blocks, grid);
    std::int64_t rest = block;
    for (std::size_t k = loops.size(); k-- > 0;) {
      const std::int64_t trips =
          (interpreter.run.extent(loops[k]->extent) + loops[k]->step - 1) / loops[k]->step;
      around.set(loops[k]->id, rest % trips * loops[k]->step);
      rest /= trips;
    }
    if (!std::all_of(loops.begin(), loops.end(), [&](const Loop* l) { return around.holds(l->bounds); }))
      continue;
    Team team;
    team.grid = grid;
    team.block = static_cast<std::uint32_t>(block);
    team.warp_barriers.resize(threads / warp);
    team.warp_memory.resize(threads / warp);
    Block(interpreter, around, team, threads, loops.back()->body).run();
  }
}

}  // namespace codegen::schedule::machine
