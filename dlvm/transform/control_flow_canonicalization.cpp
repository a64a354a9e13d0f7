#include "dlvm/transform/control_flow_canonicalization.h"

#include <algorithm>
#include <unordered_map>

#include "dlvm/ir/builder.h"
#include "dlvm/transform/control_flow_edits.h"
#include "dlvm/transform/ssa_updater.h"

namespace dlvm {
namespace {

bool merge_returns(Function& function) {
  std::vector<Instruction*> returns;
  for (const auto& block : function.blocks())
    if (block->terminator()->opcode() == Opcode::return_) returns.push_back(block->terminator());
  if (returns.size() < 2) return false;
  BasicBlock* exit = function.add_block("exit");
  const bool gives = !returns.front()->operands().empty();
  Builder(*exit).return_(gives ? exit->add_argument(returns.front()->operand(0)->type(), "exit_value")
                               : nullptr);
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
    if (!has_preheader) insert_block(*loop->header, loop->entries, "preheader");
    changed = gives_latch(*loop) || !has_preheader || changed;
  }
  return changed;
}

/// Gives joins of their own to conditionals that meet where other ways meet as well.
class Joins {
 public:
  explicit Joins(Function& function) : flow_(function), dominators_(flow_) {}

  bool run() {
    bool changed = false;
    for (auto at = flow_.order().rbegin(); at != flow_.order().rend(); ++at) {
      collect_targets(**at);
      changed = separate(**at) || changed;
    }
    return changed;
  }

 private:
  using Blocks = std::vector<BasicBlock*>;
  /// An edge, and a block that dominates it.
  struct Way {
    BlockEdge edge;
    const BasicBlock* from;
  };

  /// The blocks that `block` does not dominate, and to which it or what it dominates goes.
  void collect_targets(const BasicBlock& block) {
    Blocks targets;
    const auto add = [&](BasicBlock* target) {
      if (!dominators_.dominates(&block, target) || target == &block) targets.push_back(target);
    };
    for (const Successor& successor : block.terminator()->successors()) add(successor.block);
    for (const BasicBlock* child : dominators_.children(&block)) {
      std::ranges::for_each(targets_.at(child), add);
      targets_.erase(child);
    }
    std::ranges::sort(targets, {}, [&](const BasicBlock* each) { return flow_.position(each); });
    targets.erase(std::ranges::unique(targets).begin(), targets.end());
    targets_[&block] = std::move(targets);
  }

  bool separate(const BasicBlock& block) {
    const Blocks& targets = targets_.at(&block);
    if (block.terminator()->successors().size() < 2 || targets.size() != 1) return false;
    BasicBlock* target = targets.front();
    if (dominators_.dominates(target, &block)) return false;  // the next round of a loop
    auto& ways = this->ways(*target);
    std::vector<BlockEdge> own;
    for (const Way& way : ways)
      if (dominators_.dominates(&block, way.from)) own.push_back(way.edge);
    if (own.size() < 2) return false;
    BasicBlock* join = insert_block(*target, own, block.name() + "_join");
    std::erase_if(ways, [&](const Way& way) { return dominators_.dominates(&block, way.from); });
    ways.push_back({{join->terminator(), 0}, &block});
    return true;
  }

  std::vector<Way>& ways(const BasicBlock& target) {
    const auto [at, is_new] = ways_.try_emplace(&target);
    if (is_new)
      for (const BlockEdge& edge : flow_.predecessors(&target)) at->second.push_back({edge, edge.from()});
    return at->second;
  }

  const ControlFlow flow_;
  const DominatorTree dominators_;
  std::unordered_map<const BasicBlock*, Blocks> targets_;
  std::unordered_map<const BasicBlock*, std::vector<Way>> ways_;
};

bool split_critical_edges(Function& function) {
  const ControlFlow flow(function);
  bool changed = false;
  for (BasicBlock* block : flow.order())
    for (const BlockEdge& edge : flow.predecessors(block)) {
      if (edge.terminator->successors().size() < 2 || flow.predecessors(block).size() < 2) continue;
      split_edge(edge, "edge");
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

bool canonicalize_for_adjoints(Function& function) {
  bool changed = control_flow_canonicalization(function);
  changed = forward_arguments(function) || changed;
  return remove_copied_arguments(function) || changed;
}

bool control_flow_canonicalization(Function& function) {
  if (function.blocks().size() < 2) return false;
  bool changed = remove_unreachable_blocks(function);
  if (returns_agree(function)) changed = merge_returns(function) || changed;
  changed = shape_loops(function) || changed;
  changed = Joins(function).run() || changed;
  return split_critical_edges(function) || changed;
}

}  // namespace dlvm
