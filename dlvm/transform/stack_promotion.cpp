#include "dlvm/transform/stack_promotion.h"

#include <algorithm>
#include <unordered_map>

#include "dlvm/analysis/dominators.h"
#include "dlvm/analysis/loops.h"
#include "dlvm/analysis/pointer_uses.h"
#include "dlvm/ir/builder.h"

namespace dlvm {
namespace {

constexpr std::int64_t most_values = 1 << 16;

/// The number of values that the allocation makes; nothing if it is not known, or too many for a stack.
std::optional<std::int64_t> count_of(const Instruction& allocation) {
  if (allocation.opcode() == Opcode::allocateBox) return 1;
  if (allocation.opcode() != Opcode::allocateHeap) return std::nullopt;
  const Literal* count = as_literal(allocation.operand(0));
  if (count == nullptr) return std::nullopt;
  const std::int64_t values = count->data().integer(0);
  if (values < 0 || values > most_values) return std::nullopt;
  return values;
}

bool is_behind(const Instruction& first, const Instruction& second) {
  const auto& all = first.block()->instructions();
  auto at = std::ranges::find(all, &first, [](const auto& each) { return each.get(); });
  return std::find_if(std::next(at), all.end(), [&](const auto& each) { return each.get() == &second; }) !=
         all.end();
}

/// Whether the second may run after the first.
bool may_follow(const Instruction& first, const Instruction& second) {
  if (first.block() == second.block() && is_behind(first, second)) return true;
  std::unordered_set<const BasicBlock*> seen;
  std::vector<const BasicBlock*> open{first.block()};
  while (!open.empty()) {
    const BasicBlock* block = open.back();
    open.pop_back();
    for (const Successor& next : block->terminator()->successors()) {
      if (next.block == second.block()) return true;
      if (seen.insert(next.block).second) open.push_back(next.block);
    }
  }
  return false;
}

bool ends_last(const PointerUses& uses) {
  for (const Instruction* end : uses.ends)
    for (const auto* others : {&uses.loads, &uses.stores, &uses.derived, &uses.copies, &uses.ends})
      for (const Instruction* other : *others)
        if (may_follow(*end, *other)) return false;
  return true;
}

/// Removes each retain that a release of the same box follows in its block, with that release, if nothing
/// between them can release the last of the other references: a call, or a release of the box by another
/// name.
bool remove_pairs(Function& function) {
  bool changed = false;
  for (const auto& block : function.blocks()) {
    std::unordered_map<const Value*, Instruction*> retains;
    std::vector<Instruction*> dead;
    for (const auto& instruction : block->instructions()) {
      if (instruction->opcode() == Opcode::retain) retains[instruction->operand(0)] = instruction.get();
      if (instruction->opcode() == Opcode::apply) retains.clear();
      if (instruction->opcode() != Opcode::release) continue;
      const auto found = retains.find(instruction->operand(0));
      if (found == retains.end()) {
        retains.clear();
        continue;
      }
      dead.insert(dead.end(), {found->second, instruction.get()});
      retains.erase(found);
    }
    for (Instruction* each : dead) block->erase(each);
    changed = changed || !dead.empty();
  }
  return changed;
}

void promote(Instruction& allocation, std::int64_t count, const PointerUses& uses) {
  Builder builder(*allocation.block(), &allocation);
  builder.set_locations(allocation.locations());
  Value* pointer = builder.create(Opcode::allocateStack, {}, {allocation.type().pointee(), Integers{count}});
  pointer->set_name(allocation.name());
  for (Instruction* end : uses.ends) end->block()->erase(end);
  for (Instruction* made : uses.derived)
    if (made->opcode() == Opcode::projectBox) {
      if (!made->users().empty()) replace_all_uses(*made, *pointer);
      made->block()->erase(made);
    }
  if (!allocation.users().empty()) replace_all_uses(allocation, *pointer);
  allocation.block()->erase(&allocation);
}

}  // namespace

bool stack_promotion(Function& function) {
  std::vector<Instruction*> allocations;
  for (const auto& block : function.blocks())
    for (const auto& instruction : block->instructions())
      if (count_of(*instruction)) allocations.push_back(instruction.get());
  if (allocations.empty()) return false;
  bool changed = remove_pairs(function);
  const ControlFlow flow(function);
  for (Instruction* allocation : allocations) {
    const PointerUses uses = pointer_uses(*allocation);
    const bool once = flow.is_reachable(allocation->block()) && !may_follow(*allocation, *allocation);
    if (!once || uses.escapes || !uses.retains.empty() || !ends_last(uses)) continue;
    promote(*allocation, *count_of(*allocation), uses);
    changed = true;
  }
  return changed;
}

}  // namespace dlvm
