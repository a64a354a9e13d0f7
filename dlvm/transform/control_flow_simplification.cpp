#include "dlvm/transform/control_flow_simplification.h"

#include <algorithm>

#include "dlvm/ir/builder.h"
#include "dlvm/ir/instruction_views.h"
#include "dlvm/transform/control_flow_edits.h"

namespace dlvm {
namespace {

bool simplify_terminators(Function& function) {
  bool changed = false;
  for (const auto& block : function.blocks()) changed = fold_condition(*block) || changed;
  return remove_unreachable_blocks(function) || changed;
}

/// Whether both ways of the edge's conditional would go to one block.
bool joins_ways(const BlockEdge& edge) {
  const auto conditional = as<Conditional>(edge.terminator);
  if (!conditional) return false;
  const BasicBlock* other = edge.terminator->successors()[1 - edge.successor].block;
  return other == Branch(*edge.to()->terminator()).target() || other == edge.to();
}

/// Last first, so that a chain of forwarding blocks is skipped at once.
bool skip_forwarding(Function& function) {
  const ControlFlow flow(function);
  bool changed = false;
  for (auto at = flow.order().rbegin(); at != flow.order().rend(); ++at) {
    BasicBlock* block = *at;
    if (!is_forwarding(*block) || is_forwarding(*Branch(*block->terminator()).target())) continue;
    for (const BlockEdge& edge : flow.predecessors(block)) {
      if (edge.to() != block || edge.terminator->supplies_arguments() || joins_ways(edge)) continue;
      skip_block(edge);
      changed = true;
    }
  }
  return remove_unreachable_blocks(function) || changed;
}

/// Puts a block behind the only one that goes to it.
bool merge_blocks(Function& function) {
  const ControlFlow flow(function);
  std::unordered_set<const BasicBlock*> merged;
  for (BasicBlock* block : flow.order()) {
    const auto& predecessors = flow.predecessors(block);
    if (block == &function.entry() || predecessors.size() != 1) continue;
    Instruction* end = predecessors.front().terminator;
    BasicBlock* before = end->block();
    if (end->opcode() != Opcode::branch || before == block) continue;
    for (const auto& argument : block->arguments())
      if (!argument->users().empty()) replace_all_uses(*argument, *end->operand(argument->index()));
    before->erase(end);
    before->take_from(*block, block->instructions().front().get());
    merged.insert(block);
  }
  function.erase_blocks(merged);
  return !merged.empty();
}

}  // namespace

bool control_flow_simplification(Function& function) {
  if (function.blocks().size() < 2) return false;
  bool changed = false;
  for (bool again = true; again;) {
    again = simplify_terminators(function);
    again = merge_blocks(function) || again;
    again = skip_forwarding(function) || again;
    again = forward_arguments(function) || again;
    changed = changed || again;
  }
  return changed;
}

}  // namespace dlvm
