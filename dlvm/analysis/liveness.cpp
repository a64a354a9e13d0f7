#include "dlvm/analysis/liveness.h"

#include "dlvm/analysis/dominators.h"

namespace dlvm {

/// A value is live from its definition to each of its uses: from the block of a use, backwards along the
/// edges until its own block.
Liveness::Liveness(const ControlFlow& flow) {
  for (const BasicBlock* block : flow.order()) blocks_[block];
  const auto follow = [&](const Value* value) {
    const BasicBlock* home = defining_block(value);
    std::vector<const BasicBlock*> open;
    for (const Instruction* user : value->users())
      if (user->block() != home) open.push_back(user->block());
    while (!open.empty()) {
      const BasicBlock* block = open.back();
      open.pop_back();
      if (!blocks_.at(block).in.insert(value).second) continue;
      for (const BlockEdge& edge : flow.predecessors(block)) {
        blocks_.at(edge.from()).out.insert(value);
        if (edge.from() != home) open.push_back(edge.from());
      }
    }
  };
  for (const BasicBlock* block : flow.order()) {
    for (const auto& argument : block->arguments()) follow(argument.get());
    for (const auto& instruction : block->instructions()) follow(instruction.get());
  }
}

}  // namespace dlvm
