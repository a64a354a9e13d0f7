#include "dlvm/analysis/liveness.h"

#include "dlvm/analysis/dominators.h"

namespace dlvm {

namespace {

/// Adds the value unless it is the last one; returns whether it was not. Values are added one after another.
bool add_once(std::vector<const Value*>& values, const Value* value) {
  if (!values.empty() && values.back() == value) return false;
  values.push_back(value);
  return true;
}

}  // namespace

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
      if (!add_once(blocks_.at(block).in.sorted_, value)) continue;
      for (const BlockEdge& edge : flow.predecessors(block)) {
        add_once(blocks_.at(edge.from()).out.sorted_, value);
        if (edge.from() != home) open.push_back(edge.from());
      }
    }
  };
  for (const BasicBlock* block : flow.order()) {
    for (const auto& argument : block->arguments()) follow(argument.get());
    for (const auto& instruction : block->instructions()) follow(instruction.get());
  }
  for (auto& [block, borders] : blocks_)
    for (Values* values : {&borders.in, &borders.out}) std::ranges::sort(values->sorted_);
}

}  // namespace dlvm
