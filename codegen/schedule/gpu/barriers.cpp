#include "codegen/schedule/gpu/barriers.h"

#include <algorithm>
#include <set>
#include <span>

#include "codegen/schedule/gpu/expand_pipelines.h"
#include "codegen/schedule/ir/walk.h"

namespace codegen::schedule::gpu {
namespace {

/// Adds the buffers that asynchronous copies in the statement write to.
void add_copied(const Statement& statement, std::set<BufferId>& copied) {
  walk<Copy>(std::span(&statement, 1), [&](const Copy& copy) {
    if (copy.asynchronous) copied.insert(copy.to.buffer);
  });
}

bool intersects(const std::set<BufferId>& a, const std::set<BufferId>& b) {
  return std::any_of(a.begin(), a.end(), [&](BufferId id) { return b.count(id) > 0; });
}

bool is_team(const Loop& loop) { return loop.kind == LoopKind::block || loop.kind == LoopKind::warp; }

class Barriers {
 public:
  explicit Barriers(const Schedule& schedule) : schedule_(schedule) {}

  void insert(Body& body) {
    Body result;
    for (Statement& statement : body) {
      auto* loop = std::get_if<Loop>(&statement.node);
      if (std::holds_alternative<Barrier>(statement.node)) {
        since_ = {};
      } else if (std::holds_alternative<Wait>(statement.node)) {
        copied_.clear();
      } else if (loop != nullptr && loop->kind == LoopKind::block) {
        Barriers(schedule_).insert(loop->body);  // grids follow each other
      } else if (loop != nullptr && loop->kind == LoopKind::pipeline) {
        const std::set<BufferId> panels = panels_of(*loop, schedule_);
        const ReadWriteSet here = only(panels, read_write_set(statement));
        separate(here, result);
        multistage_.insert(panels.begin(), panels.end());
        repeat(*loop);
        for (const BufferId id : panels) multistage_.erase(id);
        since_.add(here);
      } else if (loop != nullptr && !is_team(*loop) && loop->kind != LoopKind::thread) {
        repeat(*loop);
      } else {
        const ReadWriteSet here = read_write_set(statement);
        separate(here, result);
        since_.add(here);
        add_copied(statement, copied_);
        for (const BufferId id : multistage_) copied_.erase(id);
        if (loop != nullptr && is_team(*loop)) Barriers(schedule_).insert(loop->body);
      }
      result.push_back(std::move(statement));
    }
    body = std::move(result);
  }

 private:
  struct ReadWriteSet {
    std::set<BufferId> read, written;
    void add(const ReadWriteSet& other) {
      read.insert(other.read.begin(), other.read.end());
      written.insert(other.written.begin(), other.written.end());
    }
  };

  /// The synchronization that must happen before a statement that touches this.
  void separate(const ReadWriteSet& here, Body& result) {
    if (intersects(here.read, copied_) || intersects(here.written, copied_)) {
      result.push_back({Commit{}});
      result.push_back({Wait{0}});
      copied_.clear();
    }
    if (!conflicts(here)) return;
    result.push_back({Barrier{}});
    since_ = {};
  }

  static ReadWriteSet only(const std::set<BufferId>& buffers, ReadWriteSet touched) {
    for (std::set<BufferId>* all : {&touched.read, &touched.written})
      std::erase_if(*all, [&](BufferId id) { return buffers.count(id) == 0; });
    return touched;
  }

  /// A trip may meet what the one before left: the second round knows it. A loop inside of one that is
  /// repeated needs no second round again: its trips agree with each other already, and what the first round
  /// leaves of what was there before them, no trip touches. So the time is linear in the depth of loops.
  /// Where there may be no trip, what was there before remains.
  void repeat(Loop& loop) {
    const ReadWriteSet before = since_;
    const std::set<BufferId> copied = copied_;
    insert(loop.body);
    if (repeated_.insert(loop.id).second) insert(loop.body);
    if (loop.bounds.empty() && loop.extent.lower_bound().value_or(0) >= 1) return;
    since_.add(before);
    copied_.insert(copied.begin(), copied.end());
  }

  /// Returns memory that other threads see, but for multistage buffers.
  ReadWriteSet read_write_set(Statement& statement) const {
    ReadWriteSet result;
    visit_buffer_accesses(statement, [&](const BufferAccess& place) {
      if (schedule_.buffers[place.buffer].space == Space::registers || multistage_.count(place.buffer) > 0)
        return;
      if (place.read) result.read.insert(place.buffer);
      if (place.written) result.written.insert(place.buffer);
    });
    return result;
  }

  bool conflicts(const ReadWriteSet& here) const {
    return intersects(here.read, since_.written) || intersects(here.written, since_.read) ||
           intersects(here.written, since_.written);
  }

  const Schedule& schedule_;
  ReadWriteSet since_;             ///< since the last barrier
  std::set<BufferId> copied_;      ///< asynchronously, since the last wait
  std::set<BufferId> multistage_;  ///< panels of the pipelines around
  std::set<LoopId> repeated_;      ///< loops whose trips agree with each other
};

}  // namespace

void insert_barriers(Schedule& schedule) {
  for (Variant& variant : schedule.variants) Barriers(schedule).insert(variant.body);
}

}  // namespace codegen::schedule::gpu
