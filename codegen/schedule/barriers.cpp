#include "codegen/schedule/barriers.h"

#include <set>

#include "codegen/schedule/walk.h"

namespace codegen::schedule {
namespace {

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
      } else if (loop != nullptr && loop->kind == LoopKind::block) {
        Barriers(schedule_).insert(loop->body);  // grids follow each other
      } else if (loop != nullptr && !is_team(*loop) && loop->kind != LoopKind::thread) {
        repeat(*loop);
      } else {
        const Touched here = touched(statement);
        if (conflicts(here)) {
          result.push_back({Barrier{}});
          since_ = {};
        }
        since_.add(here);
        if (loop != nullptr && is_team(*loop)) Barriers(schedule_).insert(loop->body);
      }
      result.push_back(std::move(statement));
    }
    body = std::move(result);
  }

 private:
  struct Touched {
    std::set<BufferId> read, written;
    void add(const Touched& other) {
      read.insert(other.read.begin(), other.read.end());
      written.insert(other.written.begin(), other.written.end());
    }
  };

  /// A trip may meet what the one before left: the second round knows it.
  void repeat(Loop& loop) {
    insert(loop.body);
    insert(loop.body);
  }

  /// Memory that other threads see.
  Touched touched(Statement& statement) const {
    Touched result;
    visit_accesses(statement, [&](BufferId buffer, std::vector<Index>&, bool written) {
      if (schedule_.buffers[buffer].space == Space::registers) return;
      (written ? result.written : result.read).insert(buffer);
    });
    return result;
  }

  bool conflicts(const Touched& here) const {
    const auto meet = [](const std::set<BufferId>& a, const std::set<BufferId>& b) {
      for (const BufferId id : a)
        if (b.count(id) > 0) return true;
      return false;
    };
    return meet(here.read, since_.written) || meet(here.written, since_.read) ||
           meet(here.written, since_.written);
  }

  const Schedule& schedule_;
  Touched since_;  ///< since the last barrier
};

}  // namespace

void insert_barriers(Schedule& schedule) {
  for (Variant& variant : schedule.variants) Barriers(schedule).insert(variant.body);
}

}  // namespace codegen::schedule
