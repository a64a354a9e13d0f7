#include "dlvm/transform/loop_invariant_code_motion.h"

#include <algorithm>

#include "dlvm/analysis/effects.h"
#include "dlvm/transform/control_flow_edits.h"

namespace dlvm {
namespace {

bool is_cheap(const Instruction& instruction) {
  return instruction.is(Trait::free) ||
         (instruction.is(Trait::elementwise) && instruction.type().is_scalar());
}

/// Moves what one loop computes again and again.
class Motion {
 public:
  Motion(const Loop& loop, const LoopNest& nest, const DominatorTree& dominators, const Effects& effects,
         const MemoryEffects& memory)
      : loop_(loop), nest_(nest), dominators_(dominators), effects_(effects), memory_(memory) {}

  /// Returns the instructions to be moved, in order.
  const std::vector<Instruction*>& find() {
    bool kept_failure = false;
    for (BasicBlock* block : loop_.blocks) {
      if (nest_.innermost(block) != &loop_) continue;  // the inner loop has had its turn
      const bool each_time =
          std::all_of(loop_.latches.begin(), loop_.latches.end(),
                      [&](const BlockEdge& latch) { return dominators_.dominates(block, latch.from()); });
      for (const auto& instruction : block->instructions()) {
        if (instruction->is(Trait::terminator)) break;
        const bool fails = effects_.may_fail(*instruction);
        const bool may_move =
            !memory_.touches(*instruction) &&
            (fails ? block == loop_.header && !kept_failure : each_time || is_cheap(*instruction));
        if (may_move && is_invariant(*instruction))
          take(instruction.get());
        else
          kept_failure = kept_failure || fails;
      }
    }
    return found_;
  }

 private:
  bool is_invariant(const Instruction& instruction) const {
    return std::all_of(instruction.operands().begin(), instruction.operands().end(),
                       [&](const Value* operand) {
                         const BasicBlock* home = defining_block(operand);
                         return home == nullptr || !loop_.contains(home) || moving_.contains(operand);
                       });
  }

  void take(Instruction* instruction) {
    found_.push_back(instruction);
    moving_.insert(instruction);
  }

  const Loop& loop_;
  const LoopNest& nest_;
  const DominatorTree& dominators_;
  const Effects& effects_;
  const MemoryEffects& memory_;
  std::vector<Instruction*> found_;
  std::unordered_set<const Value*> moving_;
};

/// Inner loops first, so that what leaves one can leave the loop around it. Returns whether the blocks
/// changed, so that the loops must be found again; `changed` is set where anything did.
bool move_once(Function& function, const Effects& effects, const MemoryEffects& memory, bool& changed) {
  const ControlFlow flow(function);
  const DominatorTree dominators(flow);
  const LoopNest nest(flow, dominators);
  for (auto loop = nest.loops().rbegin(); loop != nest.loops().rend(); ++loop) {
    Motion motion(**loop, nest, dominators, effects, memory);
    const auto& moving = motion.find();
    if (moving.empty()) continue;
    const bool made = preheader(**loop) == nullptr;
    BasicBlock* before = make_preheader(**loop);
    for (Instruction* instruction : moving) before->take(instruction, before->terminator());
    changed = true;
    if (made) return true;
  }
  return false;
}

}  // namespace

bool loop_invariant_code_motion(Module& module) {
  const auto has_blocks = [](const auto& function) { return function->blocks().size() > 1; };
  if (std::ranges::none_of(module.functions(), has_blocks)) return false;
  const Effects effects(module);
  const MemoryEffects memory(module);
  bool changed = false;
  for (const auto& function : module.functions())
    if (function->blocks().size() > 1)
      while (move_once(*function, effects, memory, changed)) {
      }
  return changed;
}

}  // namespace dlvm
