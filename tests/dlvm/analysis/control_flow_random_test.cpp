// Analyses of random control flow against their definitions.
#include <fmt/format.h>

#include <random>

#include "dlvm/analysis/dominators.h"
#include "dlvm/analysis/liveness.h"
#include "dlvm/analysis/loops.h"
#include "tests/dlvm/analysis/parsed.h"

using namespace dlvm;

namespace {

using Successors = std::vector<std::vector<std::size_t>>;

/// Which blocks the first one reaches without going through `without`.
std::vector<bool> reached(const Successors& successors, std::size_t from, std::size_t without = SIZE_MAX) {
  std::vector<bool> seen(successors.size());
  if (from == without) return seen;
  seen[from] = true;
  std::vector<std::size_t> open{from};
  for (std::size_t i = 0; i < open.size(); ++i)
    for (const std::size_t to : successors[open[i]])
      if (to != without && !seen[to]) {
        seen[to] = true;
        open.push_back(to);
      }
  return seen;
}

/// Blocks 'b0, 'b1, … of which each goes to up to two others, and none to the first. Block k uses the value
/// %vk of the first block if it is among the `users`.
std::string text(const Successors& successors, const std::vector<bool>& users) {
  std::string out = "func @f: (bool, f32) -> f32 {\n'b0(%c: bool, %x: f32):\n";
  for (std::size_t i = 0; i < users.size(); ++i) out += fmt::format("    %v{} = negate %x: f32\n", i);
  for (std::size_t i = 0; i < successors.size(); ++i) {
    if (i > 0) out += fmt::format("'b{}():\n", i);
    if (i > 0 && users[i]) out += fmt::format("    %u{0} = negate %v{0}: f32\n", i);
    const auto& to = successors[i];
    if (to.empty()) out += "    return %x: f32\n";
    if (to.size() == 1) out += fmt::format("    branch 'b{}()\n", to[0]);
    if (to.size() == 2)
      out += fmt::format("    conditional %c: bool then 'b{}() else 'b{}()\n", to[0], to[1]);
  }
  return out + "}\n";
}

}  // namespace

TEST_CASE("dominators, loops and live values of random control flow are what their definitions say") {
  std::mt19937 random(3);
  const auto below = [&](std::size_t end) {
    return std::uniform_int_distribution<std::size_t>(0, end - 1)(random);
  };
  for (int draw = 0; draw < 200; ++draw) {
    const std::size_t count = 2 + below(7);
    Successors successors(count);
    std::vector<bool> users(count);
    for (std::size_t i = 0; i < count; ++i) {
      users[i] = below(2) == 0;
      for (std::size_t k = below(3); k-- > 0;) successors[i].push_back(1 + below(count - 1));
    }
    const std::string written = text(successors, users);
    INFO(written);
    const parsed::Text parsed(written);
    const ControlFlow flow(parsed.function());
    const DominatorTree dominators(flow);
    const LoopNest loops(flow, dominators);
    const Liveness liveness(flow);
    const auto block = [&](std::size_t i) { return parsed.block(fmt::format("b{}", i)); };
    const std::vector<bool> reachable = reached(successors, 0);
    for (std::size_t a = 0; a < count; ++a) {
      CHECK(flow.is_reachable(block(a)) == reachable[a]);
      if (!reachable[a]) continue;
      const std::vector<bool> others = reached(successors, 0, a), onwards = reached(successors, a);
      bool is_header = false;
      for (std::size_t b = 0; b < count; ++b) {
        if (!reachable[b]) continue;
        CHECK(dominators.dominates(block(a), block(b)) == !others[b]);
        const bool to_a = std::ranges::count(successors[b], a) > 0;
        is_header = is_header || (to_a && !others[b]);
        if (b > 0 && users[b] && a > 0) {
          const Value* used = nullptr;
          for (const auto& instruction : parsed.function().entry().instructions())
            if (instruction->name() == fmt::format("v{}", b)) used = instruction.get();
          CHECK(liveness.live_in(block(a)).contains(used) == onwards[b]);
        }
      }
      const bool found =
          std::ranges::any_of(loops.loops(), [&](const auto& loop) { return loop->header == block(a); });
      CHECK(found == is_header);
    }
    for (const auto& loop : loops.loops())
      for (std::size_t b = 0; b < count; ++b) {
        if (!reachable[b]) continue;
        // A block belongs to the loop if it reaches an edge back without going through the header.
        bool inside = block(b) == loop->header;
        std::size_t header = 0;
        while (block(header) != loop->header) ++header;
        const std::vector<bool> onwards = reached(successors, b, header);
        for (const BlockEdge& latch : loop->latches)
          for (std::size_t k = 0; k < count; ++k) inside = inside || (block(k) == latch.from() && onwards[k]);
        CHECK(loop->contains(block(b)) == inside);
      }
  }
}
