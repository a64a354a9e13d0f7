#include "dlvm/interpret/last_uses.h"

#include <unordered_set>

namespace dlvm {

LastUses::LastUses(const Function& function) {
  if (function.blocks().size() == 1) {
    add(function.entry(), {});
    return;
  }
  const Liveness liveness{ControlFlow(function)};
  for (const auto& block : function.blocks()) {
    add(*block, liveness.live_out(block.get()));
    live_in_[block.get()] = liveness.live_in(block.get());
  }
}

void LastUses::add(const BasicBlock& block, const Liveness::Values& live_out) {
  std::unordered_set<const Value*> used;
  const auto& instructions = block.instructions();
  for (auto at = instructions.rbegin(); at != instructions.rend(); ++at)
    for (const Value* operand : (*at)->operands())
      if (as_literal(operand) == nullptr && !live_out.contains(operand) && used.insert(operand).second)
        last_[at->get()].push_back(operand);
}

const std::vector<const Value*>& LastUses::at(const Instruction& instruction) const {
  static const std::vector<const Value*> none;
  const auto found = last_.find(&instruction);
  return found == last_.end() ? none : found->second;
}

const Liveness::Values* LastUses::live_in(const BasicBlock& block) const {
  const auto found = live_in_.find(&block);
  return found == live_in_.end() ? nullptr : &found->second;
}

}  // namespace dlvm
