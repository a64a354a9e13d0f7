#include "dlvm/transform/dead_loops.h"

#include <algorithm>

#include "dlvm/analysis/bounds.h"

namespace dlvm {
namespace {

/// The value if it is computed outside of the loop, or what it was before the loop if that only passes it on;
/// null if the loop computes it.
Value* value_before(Value* value, const Loop& loop) {
  const BasicBlock* block = defining_block(value);
  if (block == nullptr || !loop.contains(block)) return value;
  const Argument* argument = as_argument(value);
  if (argument == nullptr || block != loop.header) return nullptr;
  for (const BlockEdge& latch : loop.latches)
    if (latch.passed()[argument->index()] != argument) return nullptr;
  return loop.entries.front().passed()[argument->index()];
}

/// The values passed behind the loop, where all of its exits go to one block and pass it the same values,
/// which the loop does not compute.
std::optional<std::vector<Value*>> passed_behind(const Loop& loop) {
  if (loop.exits.empty()) return std::nullopt;
  std::optional<std::vector<Value*>> values;
  for (const BlockEdge& exit : loop.exits) {
    if (exit.to() != loop.exits.front().to() || exit.terminator->supplies_arguments()) return std::nullopt;
    std::vector<Value*> passed;
    for (Value* value : exit.passed()) passed.push_back(value_before(value, loop));
    if (std::ranges::count(passed, nullptr) > 0 || (values && *values != passed)) return std::nullopt;
    values = std::move(passed);
  }
  return values;
}

bool is_used_behind(const Value& value, const Loop& loop) {
  return std::ranges::any_of(value.users(),
                             [&](const Instruction* user) { return !loop.contains(user->block()); });
}

/// Whether the block of the loop has no effect, and what is used behind the loop was there before.
bool does_nothing(BasicBlock& block, const Loop& loop, const Effects& effects) {
  for (const auto& argument : block.arguments())
    if (is_used_behind(*argument, loop) && value_before(argument.get(), loop) == nullptr) return false;
  return std::ranges::none_of(block.instructions(), [&](const auto& each) {
    return (!each->is(Trait::terminator) && effects.may_fail(*each)) || is_used_behind(*each, loop);
  });
}

/// Lets the loop's entry go where its exits go, if it does nothing.
bool skip_loop(const Loop& loop, const Effects& effects, Bounds& bounds) {
  const BlockEdge& entry = loop.entries.front();
  if (loop.entries.size() != 1 || entry.terminator->supplies_arguments()) return false;
  const auto passed = passed_behind(loop);
  const auto is_idle = [&](BasicBlock* block) { return does_nothing(*block, loop, effects); };
  if (!passed || !std::ranges::all_of(loop.blocks, is_idle) || !bounds.ends(loop)) return false;
  for (const auto& argument : loop.header->arguments())
    if (Value* before = value_before(argument.get(), loop)) replace_all_uses(*argument, *before);
  entry.terminator->set_successor(entry.successor, loop.exits.front().to(), *passed);
  return true;
}

}  // namespace

bool remove_dead_loops(Function& function, const Effects& effects) {
  if (function.blocks().size() < 2) return false;
  const ControlFlow flow(function);
  if (!flow.has_cycle()) return false;
  const DominatorTree dominators(flow);
  const LoopNest loops(flow, dominators);
  Bounds bounds(flow, dominators, loops);
  std::unordered_set<const BasicBlock*> gone;
  for (const auto& loop : loops.loops()) {
    // A loop that follows on one that is gone has another entry now.
    const bool is_known = !gone.contains(loop->header) && !gone.contains(loop->entries.front().from());
    if (is_known && skip_loop(*loop, effects, bounds)) gone.insert(loop->blocks.begin(), loop->blocks.end());
  }
  // With what nothing reaches in any case, which may go to them.
  return !gone.empty() && remove_unreachable_blocks(function);
}

}  // namespace dlvm
