// Backward liveness over the statements, as in any textbook on compilers; a loop is repeated until what lives
// at its begin no longer grows. A lifetime is the hull of the positions where the value is touched and of the
// loops at whose begin it lives: every path from a write to a read that leaves the hull of its ends passes
// such a begin.
#include "codegen/kernel/ir/lifetimes.h"

#include <algorithm>
#include <utility>

#include "dlvm/support/overloaded.h"

namespace codegen::kernel {
namespace {

using Live = std::vector<bool>;

/// Adds `from` to `into` and returns whether that changed it.
bool merge(Live& into, const Live& from) {
  bool grows = false;
  for (std::size_t i = 0; i < into.size(); ++i)
    if (from[i] && !into[i]) into[i] = grows = true;
  return grows;
}

class Analysis {
 public:
  explicit Analysis(const Program& program) : program_(program) {
    result_.of_value.resize(program.values.size());
  }

  Lifetimes run() {
    number(program_.body);
    Live live(program_.values.size());
    visit(program_.body, live);
    for (const auto& [loop, range] : loops_) extend_over(range, at_scope_.at(loop->name));
    share_lifetimes();
    result_.live_on_entry = std::move(live);
    return std::move(result_);
  }

 private:
  using Range = std::pair<std::size_t, std::size_t>;

  // Each `number` gives a statement its position.

  void touch(ValueId value) {
    Lifetime& life = result_.of_value[value];
    life.first = std::min(life.first, next());
    life.last = std::max(life.last, next());
  }
  std::size_t next() const { return result_.launch_at.size(); }
  void advance(const Launch* launch = nullptr) {
    if (launch != nullptr) result_.position_of[launch] = next();
    result_.launch_at.push_back(launch);
  }

  void number(const Sequence& sequence) {
    for (const Statement& statement : sequence)
      std::visit([this](const auto& node) { number(node); }, statement.node);
  }
  void number(const Launch& launch) {
    for (const ValueId value : launch.values) touch(value);
    advance(&launch);
  }
  void number(const Swap& swap) {
    touch(swap.first);
    touch(swap.second);
    swaps_.push_back(&swap);
    advance();
  }
  void number(const Branch& branch) {
    touch(branch.condition);
    advance();
    number(branch.then);
    number(branch.otherwise);
  }
  void number(const Scope& scope) {
    const std::size_t begin = next();
    number(scope.body);
    if (scope.kind == Scope::Kind::block) return;
    loops_.emplace_back(&scope, Range{begin, next()});
    advance();
  }
  void number(const Jump&) {}

  // Each `visit` takes the values that live behind a statement and leaves those that live before it.

  void visit(const Sequence& sequence, Live& live) {
    for (auto at = sequence.rbegin(); at != sequence.rend(); ++at)
      std::visit([&](const auto& node) { visit(node, live); }, at->node);
  }
  void visit(const Launch& launch, Live& live) {
    const auto& buffers = program_.kernels[launch.kernel].buffers;
    for (std::size_t i = 0; i < launch.values.size(); ++i)
      if (buffers[i].written && !buffers[i].updated) live[launch.values[i]] = false;
    for (std::size_t i = 0; i < launch.values.size(); ++i)
      if (!buffers[i].written || buffers[i].updated) live[launch.values[i]] = true;
  }
  void visit(const Swap& swap, Live& live) {
    const bool first = live[swap.first];
    live[swap.first] = live[swap.second];
    live[swap.second] = first;
  }
  void visit(const Branch& branch, Live& live) {
    Live otherwise = live;
    visit(branch.then, live);
    visit(branch.otherwise, otherwise);
    merge(live, otherwise);
    live[branch.condition] = true;
  }
  void visit(const Scope& scope, Live& live) {
    if (scope.kind == Scope::Kind::block) {
      at_scope_[scope.name] = live;
      return visit(scope.body, live);
    }
    Live& at_begin = at_scope_.try_emplace(scope.name, live.size()).first->second;
    const Live behind = std::exchange(live, Live());
    do {
      live = behind;
      visit(scope.body, live);
    } while (merge(at_begin, live));
  }
  void visit(const Jump& jump, Live& live) { live = at_scope_.at(jump.scope); }

  void extend_over(const Range& range, const Live& live) {
    for (std::size_t value = 0; value < live.size(); ++value) {
      if (!live[value]) continue;
      Lifetime& life = result_.of_value[value];
      life.first = std::min(life.first, range.first);
      life.last = std::max(life.last, range.second);
    }
  }

  /// Either of two exchanged values may be in the memory of the other.
  void share_lifetimes() {
    for (bool grows = true; grows;) {
      grows = false;
      for (const Swap* swap : swaps_) {
        Lifetime &a = result_.of_value[swap->first], &b = result_.of_value[swap->second];
        const Lifetime both{std::min(a.first, b.first), std::max(a.last, b.last)};
        for (Lifetime* life : {&a, &b}) {
          grows = grows || life->first != both.first || life->last != both.last;
          *life = both;
        }
      }
    }
  }

  const Program& program_;
  Lifetimes result_;
  std::vector<const Swap*> swaps_;
  std::vector<std::pair<const Scope*, Range>> loops_;
  std::map<std::string, Live> at_scope_;  ///< what lives where a jump to the scope goes
};

}  // namespace

Lifetimes lifetimes(const Program& program) { return Analysis(program).run(); }

}  // namespace codegen::kernel
