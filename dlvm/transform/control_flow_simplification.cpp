#include "dlvm/transform/control_flow_simplification.h"

#include <algorithm>

#include "dlvm/ir/builder.h"
#include "dlvm/ir/instruction_views.h"
#include "dlvm/transform/control_flow_edits.h"

namespace dlvm {
namespace {

/// A conditional both of whose ways go to one block: a branch, with a `select` for each scalar in which the
/// ways differ.
bool merge_ways(BasicBlock& block) {
  Instruction* end = block.terminator();
  const auto conditional = as<Conditional>(end);
  if (!conditional || conditional.where_true() != conditional.where_false()) return false;
  const auto left = conditional.passed_if_true(), right = conditional.passed_if_false();
  for (std::size_t i = 0; i < left.size(); ++i)
    if (left[i] != right[i] && !left[i]->type().is_scalar()) return false;
  Builder builder(block, end);
  builder.set_locations(end->locations());
  std::vector<Value*> passed;
  for (std::size_t i = 0; i < left.size(); ++i)
    passed.push_back(left[i] == right[i] ? left[i]
                                         : builder.select(left[i], right[i], conditional.condition()));
  builder.branch(*conditional.where_true(), std::move(passed));
  block.erase(end);
  return true;
}

bool simplify_terminators(Function& function) {
  bool changed = false;
  for (const auto& block : function.blocks())
    changed = fold_condition(*block) || merge_ways(*block) || changed;
  return remove_unreachable_blocks(function) || changed;
}

/// Whether the block does nothing but go on to another.
bool is_forwarding(const BasicBlock& block) {
  if (&block == &block.function().entry() || block.instructions().size() != 1) return false;
  const auto branch = as<Branch>(block.terminator());
  if (!branch || branch.target() == &block) return false;
  return std::all_of(block.arguments().begin(), block.arguments().end(), [&](const auto& argument) {
    return std::all_of(argument->users().begin(), argument->users().end(),
                       [&](const Instruction* user) { return user == block.terminator(); });
  });
}

/// The edge goes where its block would go on to.
void skip(const BlockEdge& edge) {
  const BasicBlock* block = edge.to();
  const Branch branch(*block->terminator());
  std::vector<Value*> passed;
  for (Value* value : branch.passed()) {
    const Argument* argument = as_argument(value);
    const bool own = argument != nullptr && argument->block() == block;
    passed.push_back(own ? edge.passed()[argument->index()] : value);
  }
  edge.terminator->set_successor(edge.successor, branch.target(), passed);
}

/// Last first, so that a chain of forwarding blocks is skipped at once.
bool skip_forwarding(Function& function) {
  const ControlFlow flow(function);
  bool changed = false;
  for (auto at = flow.order().rbegin(); at != flow.order().rend(); ++at) {
    BasicBlock* block = *at;
    if (!is_forwarding(*block) || is_forwarding(*Branch(*block->terminator()).target())) continue;
    for (const BlockEdge& edge : flow.predecessors(block)) {
      if (edge.to() != block || edge.terminator->supplies_arguments()) continue;
      skip(edge);
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
    again = skip_forwarding(function) || again;
    again = merge_blocks(function) || again;
    changed = changed || again;
  }
  return changed;
}

}  // namespace dlvm
