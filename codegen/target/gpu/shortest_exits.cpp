#include "codegen/target/gpu/shortest_exits.h"

#include <algorithm>
#include <ranges>

namespace codegen::target::gpu {
namespace {

using kernel::Branch;
using kernel::Scope;

/// Counts the conditions on the shortest way to the end, from the end to the start. The count is smaller
/// behind each condition on that way, so it never comes back to the same one.
class Counter {
 public:
  static constexpr std::size_t endless = SIZE_MAX;

  std::size_t count(const kernel::Sequence& sequence, std::size_t after) {
    for (const kernel::Statement& statement : sequence | std::views::reverse)
      after = std::visit([&](const auto& node) { return count(node, after); }, statement.node);
    return after;
  }

  ShortestExits exits;

 private:
  static std::size_t count(const auto&, std::size_t after) { return after; }
  std::size_t count(const kernel::Jump& jump, std::size_t) { return at_.at(jump.scope); }
  std::size_t count(const Branch& branch, std::size_t after) {
    const std::size_t then = count(branch.then, after), otherwise = count(branch.otherwise, after);
    exits.takes_then[&branch] = then <= otherwise;
    const std::size_t least = std::min(then, otherwise);
    return least == endless ? endless : least + 1;
  }
  /// A shortest way never begins the iteration again. With the count of the loop known, the second round
  /// finds the ways of those conditions from which only another iteration leads out.
  std::size_t count(const Scope& scope, std::size_t after) {
    const bool is_loop = scope.kind == Scope::Kind::loop;
    at_[scope.name] = is_loop ? endless : after;
    const std::size_t first = count(scope.body, after);
    if (!is_loop) return first;
    at_[scope.name] = first;
    count(scope.body, after);
    if (first == endless)
      exits.endless.insert(&scope);
    else
      exits.endless.erase(&scope);  // found in the first round of a loop around
    return first;
  }

  std::map<std::string, std::size_t> at_;  ///< the count of a jump to the scope
};

}  // namespace

ShortestExits shortest_exits(const kernel::Program& program) {
  Counter counter;
  counter.count(program.body, 0);
  return std::move(counter.exits);
}

}  // namespace codegen::target::gpu
