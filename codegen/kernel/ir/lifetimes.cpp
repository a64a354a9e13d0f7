// A lifetime is the hull of the positions where the value is touched and of the loops at whose begin it
// lives, as far as their last jump to the begin: every path from a write to a read goes forward in the text
// but for such jumps. What follows a loop often stands in its scope, behind that jump, and is no part of it.
#include "codegen/kernel/ir/lifetimes.h"

#include <algorithm>
#include <functional>
#include <string>
#include <utility>

#include "codegen/kernel/ir/liveness.h"

namespace codegen::kernel {
namespace {

class Analysis {
 public:
  explicit Analysis(const Program& program) : program_(program) {
    result_.of_value.resize(program.values.size());
  }

  Lifetimes run() {
    number(program_.body);
    Liveness live(program_);
    for (const auto& [name, range] : loops_)
      if (range.first <= range.second) extend_over(range, live.at(name));
    share_lifetimes();
    for (std::size_t value = 0; value < program_.values.size(); ++value)
      result_.live_on_entry.push_back(live.on_entry().contains(value));
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
    if (scope.kind == Scope::Kind::loop) loops_.emplace(scope.name, Range{next(), 0});
    number(scope.body);
  }
  void number(const Jump& jump) {
    const auto loop = loops_.find(jump.scope);
    if (loop == loops_.end()) return;
    loop->second.second = next();
    advance();
  }

  void extend_over(const Range& range, const ValueSet& live) {
    for (std::size_t value = 0; value < live.size(); ++value) {
      if (!live.contains(value)) continue;
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
  std::map<std::string, Range, std::less<>> loops_;  ///< without a jump, the second position is less
};

}  // namespace

Lifetimes lifetimes(const Program& program) { return Analysis(program).run(); }

}  // namespace codegen::kernel
