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

/// Gives joins of their own to conditionals that meet where other ways meet as well. Each block hands what is
/// known of its ways on to the block that dominates it, so that no way is looked at often.
class Joins {
 public:
  explicit Joins(Function& function) : flow_(function), dominators_(flow_) {
    for (const BasicBlock* block : flow_.order())
      for (const BlockEdge& edge : flow_.predecessors(block))
        numbers_[edge.terminator].emplace_back(edge.successor, next_number_++);
  }

  bool run() {
    bool changed = false;
    for (auto at = flow_.order().rbegin(); at != flow_.order().rend(); ++at) {
      collect_targets(**at);
      changed = separate(**at) || changed;
    }
    return changed;
  }

 private:
  /// An edge, and its place among those that go to the same block: joins that were made come last.
  struct Way {
    std::size_t number;
    BlockEdge edge;
  };
  using Ways = std::vector<Way>;
  using Targets = std::unordered_map<BasicBlock*, Ways>;

  static void append(Ways& to, Ways& more) {
    if (to.size() < more.size()) std::swap(to, more);
    to.insert(to.end(), more.begin(), more.end());
  }

  static void merge(Targets& to, Targets& more) {
    if (to.size() < more.size()) std::swap(to, more);
    for (auto& [target, ways] : more) append(to[target], ways);
  }

  /// The blocks that `block` does not dominate, and to which it or what it dominates goes.
  void collect_targets(BasicBlock& block) {
    Targets& targets = targets_[&block];
    Instruction* end = block.terminator();
    if (const auto found = numbers_.find(end); found != numbers_.end())
      for (const auto& [successor, number] : found->second)
        targets[end->successors()[successor].block].push_back({number, {end, successor}});
    for (const BasicBlock* child : dominators_.children(&block)) {
      merge(targets, targets_.at(child));
      targets_.erase(child);
    }
    for (BasicBlock* child : dominators_.children(&block)) targets.erase(child);
  }

  bool separate(const BasicBlock& block) {
    Targets& targets = targets_.at(&block);
    if (block.terminator()->successors().size() < 2 || targets.size() != 1) return false;
    auto& [target, ways] = *targets.begin();
    if (dominators_.dominates(target, &block)) return false;  // the next round of a loop
    if (ways.size() < 2) return false;
    std::ranges::sort(ways, {}, &Way::number);
    std::vector<BlockEdge> own;
    for (const Way& way : ways) own.push_back(way.edge);
    BasicBlock* join = insert_block(*target, own, block.name() + "_join");
    ways = {Way{next_number_++, {join->terminator(), 0}}};
    return true;
  }

  const ControlFlow flow_;
  const DominatorTree dominators_;
  std::unordered_map<const BasicBlock*, Targets> targets_;
  /// For each terminator, its successors and the numbers of the ways to them.
  std::unordered_map<const Instruction*, std::vector<std::pair<std::size_t, std::size_t>>> numbers_;
  std::size_t next_number_ = 0;
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
