#include "codegen/kernel/build/handover.h"

#include <algorithm>

#include "dlvm/analysis/dominators.h"

namespace codegen::kernel {
namespace {

using dlvm::BasicBlock;
using dlvm::BlockEdge;
using dlvm::Instruction;

/// Returns the swaps after which each first memory has what the second one had.
std::vector<Swap> permute(const std::vector<std::pair<ValueId, ValueId>>& moves) {
  std::map<ValueId, ValueId> holds, place;  // whose contents a memory has now, and where they are
  for (const auto& [to, from] : moves)
    for (const ValueId id : {to, from}) holds[id] = place[id] = id;
  std::vector<Swap> swaps;
  for (const auto& [to, from] : moves) {
    const ValueId source = place[from];
    if (source == to) continue;
    swaps.push_back({to, source});
    std::swap(holds[to], holds[source]);
    place[holds[to]] = to;
    place[holds[source]] = source;
  }
  return swaps;
}

}  // namespace

ValueId Handover::memory(const dlvm::Value* value) {
  const auto found = memory_.find(value);
  return found != memory_.end() ? found->second : share(value, parts_.memory(value));
}

ValueId Handover::share(const dlvm::Value* value, ValueId memory) {
  holders_[memory].push_back(value);
  return memory_[value] = memory;
}

ValueId Handover::choose(const Instruction* value) {
  const auto at_once = destination(value);
  return at_once ? share(value, *at_once) : memory(value);
}

bool Handover::is_live(const dlvm::Value* value, const BasicBlock* block) const {
  return live_.live_in(block).contains(value) || live_.live_out(block).contains(value) ||
         dlvm::defining_block(value) == block;
}

/// Returns the memory of an argument to which the block's terminator passes the value, if nothing else needs
/// that memory in the block.
std::optional<ValueId> Handover::destination(const Instruction* value) {
  BasicBlock* block = value->block();
  if (live_.live_out(block).contains(value)) return std::nullopt;
  Instruction* end = block->terminator();
  for (std::size_t s = 0; s < end->successors().size(); ++s) {
    const BlockEdge edge{end, s};
    const auto passed = edge.passed();
    const auto at = std::ranges::find(passed, value);
    if (at == passed.end() || std::ranges::count(passed, value) > 1) continue;
    const ValueId id = memory(edge.to()->arguments()[static_cast<std::size_t>(at - passed.begin())].get());
    if (std::ranges::none_of(holders_.at(id),
                             [&](const dlvm::Value* holder) { return is_live(holder, block); }))
      return id;
  }
  return std::nullopt;
}

/// Whether it is no parameter, whose memory is the caller's.
bool Handover::is_written_by_program(const dlvm::Value* value) const {
  const auto* argument = dlvm::as_argument(value);
  const BasicBlock* block = dlvm::defining_block(value);
  return block != nullptr && (argument == nullptr || block != &block->function().entry());
}

bool Handover::may_overwrite(const dlvm::Value* value, const BasicBlock* block,
                             const std::vector<const dlvm::Value*>& results) const {
  const auto& passed = block->terminator()->operands();
  if (!is_written_by_program(value) || live_.live_out(block).contains(value) ||
      std::ranges::find(results, value) != results.end() || std::ranges::find(passed, value) != passed.end())
    return false;
  const auto interferes = [&](const dlvm::Value* holder) {
    const BasicBlock* of_holder = dlvm::defining_block(holder);
    return holder != value &&
           (is_live(holder, block) || std::ranges::any_of(results, [&](const dlvm::Value* result) {
              return is_live(result, of_holder);
            }));
  };
  return std::ranges::none_of(holders_.at(memory_.at(value)), interferes);
}

/// Whether nothing needs the value after the edge but one argument.
bool Handover::dies_on(const dlvm::Value* value, const BlockEdge& edge) const {
  return is_written_by_program(value) && !live_.live_in(edge.to()).contains(value) &&
         std::ranges::count(edge.passed(), value) == 1;
}

Handover::Moves Handover::moves(const BlockEdge& edge) {
  Moves result;
  std::vector<std::pair<ValueId, ValueId>> moved;
  std::vector<ValueId> read;
  for (const dlvm::Value* value : edge.passed())
    if (dlvm::as_literal(value) == nullptr) read.push_back(memory(value));
  for (std::size_t a = 0; a < edge.passed().size(); ++a) {
    const dlvm::Value* value = edge.passed()[a];
    const dlvm::Value* argument = edge.to()->arguments()[a].get();
    const ValueId to = memory(argument);
    const bool is_literal = dlvm::as_literal(value) != nullptr;
    if (!is_literal && memory(value) == to) continue;
    if (!is_literal && dies_on(value, edge)) {
      moved.emplace_back(to, memory(value));
      continue;
    }
    result.copied.push_back(value);
    result.copies.push_back(to);
    if (std::ranges::find(read, to) == read.end()) continue;
    // Another argument takes what this one had.
    result.copies.back() = parts_.add(Value::Place::arena, 0, argument->name() + "_next", value->type());
    moved.emplace_back(to, result.copies.back());
  }
  result.swaps = permute(moved);
  return result;
}

}  // namespace codegen::kernel
