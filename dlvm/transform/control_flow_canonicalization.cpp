#include "dlvm/transform/control_flow_canonicalization.h"

#include "dlvm/ir/builder.h"
#include "dlvm/transform/control_flow_edits.h"

namespace dlvm {
namespace {

bool merge_returns(Function& function) {
  std::vector<Instruction*> returns;
  for (const auto& block : function.blocks())
    if (block->terminator()->opcode() == Opcode::return_) returns.push_back(block->terminator());
  if (returns.size() < 2) return false;
  BasicBlock* exit = function.add_block("exit");
  const bool gives = !returns.front()->operands().empty();
  Builder(*exit).return_(gives ? exit->add_argument(returns.front()->operand(0)->type(), "") : nullptr);
  for (Instruction* end : returns) {
    Builder builder(*end->block(), end);
    builder.set_locations(end->locations());
    builder.branch(*exit, end->operands());
    end->block()->erase(end);
  }
  return true;
}

bool gives_latch(const Loop& loop) {
  if (loop.latches.size() == 1 && loop.latches.front().terminator->successors().size() == 1) return false;
  insert_block(*loop.header, loop.latches, "latch");
  return true;
}

/// Edges of different loops are different edges, so that what is put on one does not disturb the others.
bool shape_loops(Function& function) {
  const ControlFlow flow(function);
  const LoopNest nest(flow, DominatorTree(flow));
  bool changed = false;
  for (const auto& loop : nest.loops()) {
    const bool has_preheader = preheader(*loop) != nullptr;
    if (!has_preheader) make_preheader(*loop);
    changed = gives_latch(*loop) || !has_preheader || changed;
  }
  return changed;
}

bool split_critical_edges(Function& function) {
  const ControlFlow flow(function);
  bool changed = false;
  for (BasicBlock* block : flow.order())
    for (const BlockEdge& edge : flow.predecessors(block)) {
      if (edge.terminator->successors().size() < 2 || flow.predecessors(block).size() < 2) continue;
      insert_block(*block, {edge}, "edge");
      changed = true;
    }
  return changed;
}

/// Returns of one type: the text lets erased extents differ, and then they stay apart.
bool returns_agree(const Function& function) {
  const Type* type = nullptr;
  for (const auto& block : function.blocks()) {
    const Instruction* end = block->terminator();
    if (end->opcode() != Opcode::return_ || end->operands().empty()) continue;
    if (type != nullptr && !(*type == end->operand(0)->type())) return false;
    type = &end->operand(0)->type();
  }
  return true;
}

}  // namespace

bool control_flow_canonicalization(Function& function) {
  if (function.blocks().size() < 2) return false;
  bool changed = remove_unreachable_blocks(function);
  if (returns_agree(function)) changed = merge_returns(function) || changed;
  changed = shape_loops(function) || changed;
  return split_critical_edges(function) || changed;
}

}  // namespace dlvm
