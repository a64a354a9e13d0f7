#include "dlvm/analysis/numbered_pointers.h"

#include <fmt/format.h>

#include <unordered_set>

#include "dlvm/analysis/address_obstacles.h"
#include "dlvm/analysis/allocation_count.h"
#include "dlvm/analysis/bounds.h"
#include "dlvm/ir/derived_names.h"

namespace dlvm {
namespace {

constexpr std::int64_t most_values = 1 << 16;

/// Whether a way leads from the block to itself. A cycle with several entries is no loop of the nest.
bool is_in_cycle(const BasicBlock& block) {
  std::unordered_set<const BasicBlock*> known;
  std::vector<const BasicBlock*> open{&block};
  while (!open.empty()) {
    const Instruction* end = open.back()->terminator();
    open.pop_back();
    for (const Successor& next : end->successors()) {
      if (next.block == &block) return true;
      if (known.insert(next.block).second) open.push_back(next.block);
    }
  }
  return false;
}

/// Whether the block may be run several times in one call.
bool repeats(const BasicBlock& block, const LoopNest& loops) {
  return loops.is_irreducible() ? is_in_cycle(block) : loops.innermost(&block) != nullptr;
}

}  // namespace

NumberedPointers::NumberedPointers(const Function& function) : function_(function), regions_(function) {
  if (regions_.regions().empty()) return;
  obstacle_ = obstacle_to_numbers(function, regions_);
  if (obstacle_.empty()) obstacle_ = find_allocations();
  if (!obstacle_.empty()) allocations_.clear();
}

/// Returns the obstacle; empty where there is none.
std::string NumberedPointers::find_allocations() {
  const ControlFlow flow(function_);
  const DominatorTree dominators(flow);
  const LoopNest loops(flow, dominators);
  Bounds bounds(flow, dominators, loops);
  std::string too_many = fmt::format("there may be more than {} values", most_values);
  const Extent unknown = Extent::dimension(name_after(function_, "values"));
  std::int64_t all = 0;
  for (const auto& block : function_.blocks())
    for (const auto& instruction : block->instructions()) {
      if (!is_allocation(*instruction)) continue;
      const auto place = regions_.place(instruction->type());
      if (!place) continue;
      const auto count = allocation_count(*instruction, bounds);
      if (!count) return "there are less values than none";
      if (count->most.constant().value_or(0) > most_values) return too_many;
      const bool again = repeats(*block, loops);
      const auto runs = again ? bounds.most_runs(*block) : std::optional(Extent(1));
      // Where there may be none, an address of its own takes a number.
      const bool is_open = count->most == unknown;
      const bool is_exact = count->exact && count->most.lower_bound().value_or(0) >= 1;
      const Extent each = is_exact || is_open ? count->most : count->most + Extent(1);
      Extent values = each * runs.value_or(is_open ? Extent(1) : unknown);
      if (!values.valid()) values = unknown;
      if (const auto constant = values.constant())
        if (*constant > most_values || (all += *constant) > most_values) return too_many;
      allocations_.push_back({instruction.get(), *place, count->most, is_exact, values, again});
    }
  return "";
}

}  // namespace dlvm
