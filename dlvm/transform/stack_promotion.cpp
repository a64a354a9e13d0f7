#include "dlvm/transform/stack_promotion.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "dlvm/analysis/allocation_count.h"
#include "dlvm/analysis/dominators.h"
#include "dlvm/analysis/pointer_uses.h"
#include "dlvm/ir/builder.h"
#include "dlvm/transform/bounded_allocation.h"

namespace dlvm {
namespace {

constexpr std::int64_t most_values = 1 << 16;

/// An allocation of heap memory or of a box.
struct Allocation {
  Instruction* instruction;
  AllocationCount count;
};

/// The allocations that are not too large for a stack.
std::vector<Allocation> allocations_of(const ControlFlow& flow, const DominatorTree& dominators) {
  const LoopNest loops(flow, dominators);
  Bounds bounds(flow, dominators, loops);
  std::vector<Allocation> found;
  for (const BasicBlock* block : flow.order())
    for (const auto& instruction : block->instructions()) {
      if (instruction->opcode() != Opcode::allocateBox && instruction->opcode() != Opcode::allocateHeap)
        continue;
      const auto count = allocation_count(*instruction, bounds);
      if (count && count->most.constant().value_or(0) <= most_values)
        found.push_back({instruction.get(), *count});
    }
  return found;
}

bool has_allocations(const Function& function) {
  return std::ranges::any_of(function.blocks(), [](const auto& block) {
    return std::ranges::any_of(block->instructions(), [](const auto& each) {
      return each->opcode() == Opcode::allocateBox || each->opcode() == Opcode::allocateHeap;
    });
  });
}

/// The least and the most references that there may be at a place.
struct References {
  std::int64_t least = 1, most = 1;
  bool operator==(const References&) const = default;
};

/// Counts the references to an allocation along all ways from it.
class ReferenceCount {
 public:
  ReferenceCount(const Instruction& allocation, const PointerUses& uses, const DominatorTree& dominators)
      : allocation_(allocation), dominators_(dominators) {
    for (const auto* list : {&uses.loads, &uses.stores, &uses.derived, &uses.copies})
      accesses_.insert(list->begin(), list->end());
    retains_.insert(uses.retains.begin(), uses.retains.end());
    ends_.insert(uses.ends.begin(), uses.ends.end());
  }

  /// Returns whether nothing uses the memory once it may have ended.
  bool ends_last() {
    const auto& own = allocation_.block()->instructions();
    auto from = std::ranges::find(own, &allocation_, [](const auto& each) { return each.get(); });
    if (!follow(*allocation_.block(), std::next(from), {})) return false;
    while (!open_.empty()) {
      const BasicBlock* block = open_.back();
      open_.pop_back();
      if (!follow(*block, block->instructions().begin(), at_start_.at(block))) return false;
    }
    return true;
  }

 private:
  static constexpr std::int64_t most_references = 1 << 10;

  bool follow(const BasicBlock& block, BasicBlock::Instructions::const_iterator from, References now) {
    for (; from != block.instructions().end(); ++from) {
      const Instruction* each = from->get();
      const bool retains = retains_.contains(each), ends = ends_.contains(each);
      if (!retains && !ends && !accesses_.contains(each)) continue;
      if (now.least == 0 || now.most > most_references) return false;
      const std::int64_t change = retains ? 1 : ends ? -1 : 0;
      now = {now.least + change, now.most + change};
    }
    for (const Successor& next : block.terminator()->successors()) reach(*next.block, now);
    return true;
  }

  /// A block that the allocation does not dominate cannot use it, nor one that is behind such a block.
  void reach(const BasicBlock& block, References now) {
    if (&block == allocation_.block() || !dominators_.dominates(allocation_.block(), &block)) return;
    const auto [known, fresh] = at_start_.emplace(&block, now);
    const References before = known->second;
    known->second = {std::min(before.least, now.least), std::max(before.most, now.most)};
    if (fresh || known->second != before) open_.push_back(&block);
  }

  const Instruction& allocation_;
  const DominatorTree& dominators_;
  std::unordered_set<const Instruction*> accesses_, retains_, ends_;
  std::unordered_map<const BasicBlock*, References> at_start_;
  std::vector<const BasicBlock*> open_;
};

/// The retains of a block that a release of the same box follows, with that release, if nothing between them
/// can release the last of the other references: a call, or a release of the box by another name. A retain
/// whose box may have ended before is an error, and stays.
class RetainPairs {
 public:
  /// Passes the next instruction of the block.
  void pass(Instruction& instruction) {
    switch (instruction.opcode()) {
      case Opcode::allocateBox:
        live_.insert(&instruction);
        break;
      case Opcode::projectBox:
        live_.insert(instruction.operand(0));
        break;
      case Opcode::retain:
        if (!live_.insert(instruction.operand(0)).second) open_[instruction.operand(0)] = &instruction;
        break;
      case Opcode::release:
        release(instruction);
        break;
      case Opcode::apply:
        forget();
        break;
      default:
        break;
    }
  }
  const std::vector<Instruction*>& instructions() const { return found_; }

 private:
  void release(Instruction& instruction) {
    const auto retain = open_.find(instruction.operand(0));
    if (retain == open_.end()) return forget();
    found_.insert(found_.end(), {retain->second, &instruction});
    open_.erase(retain);
  }
  void forget() {
    live_.clear();
    open_.clear();
  }

  std::unordered_set<const Value*> live_;  ///< boxes that have a reference
  std::unordered_map<const Value*, Instruction*> open_;
  std::vector<Instruction*> found_;
};

bool remove_pairs(Function& function) {
  bool changed = false;
  for (const auto& block : function.blocks()) {
    RetainPairs pairs;
    for (const auto& instruction : block->instructions()) pairs.pass(*instruction);
    for (Instruction* each : pairs.instructions()) block->erase(each);
    changed = changed || !pairs.instructions().empty();
  }
  return changed;
}

void promote(Instruction& allocation, const Extent& count, const PointerUses& uses) {
  Builder builder(*allocation.block(), &allocation);
  builder.set_locations(allocation.locations());
  Value* pointer = builder.create(Opcode::allocateStack, {}, {allocation.type().pointee(), Shape{count}});
  pointer->set_name(allocation.name());
  for (const auto* list : {&uses.ends, &uses.retains})
    for (Instruction* each : *list) each->block()->erase(each);
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
  if (!has_allocations(function)) return false;
  const ControlFlow flow(function);
  const DominatorTree dominators(flow);
  const std::vector<Allocation> allocations = allocations_of(flow, dominators);
  if (allocations.empty()) return false;
  bool changed = remove_pairs(function);
  for (const auto& [allocation, count] : allocations) {
    const PointerUses uses = pointer_uses(*allocation);
    if (uses.escape != nullptr || !ReferenceCount(*allocation, uses, dominators).ends_last()) continue;
    if (!count.exact) check_uses_by_count(*allocation, count.most, uses);
    promote(*allocation, count.most, uses);
    changed = true;
  }
  return changed;
}

}  // namespace dlvm
