#include "dlvm/transform/control_flow_edits.h"

#include <algorithm>

#include "dlvm/ir/builder.h"
#include "dlvm/ir/instruction_views.h"

namespace dlvm {

namespace {

/// Goes on to the case that the value was made as.
bool fold_case(BasicBlock& block, const BranchEnum& end) {
  const Instruction* value = match(end.value(), Opcode::literal);
  if (value == nullptr) return false;
  const std::int64_t made = std::get<Integers>(value->attributes()[1])[0];
  const auto at = std::ranges::find(end.cases(), made) - end.cases().begin();
  Instruction* old = block.terminator();
  Builder builder(block, old);
  builder.set_locations(old->locations());
  builder.branch(*old->successors()[static_cast<std::size_t>(at)].block, value->operands());
  block.erase(old);
  return true;
}

}  // namespace

bool fold_condition(BasicBlock& block) {
  Instruction* end = block.terminator();
  if (const auto cases = as<BranchEnum>(end)) return fold_case(block, cases);
  const auto conditional = as<Conditional>(end);
  if (!conditional) return false;
  const Instruction* named = match(conditional.condition(), Opcode::literal);
  const Literal* condition = as_literal(named != nullptr ? named->operand(0) : conditional.condition());
  if (condition == nullptr) return false;
  const std::size_t taken = condition->data().integer(0) != 0 ? 0 : 1;
  const auto passed = end->passed(taken);
  Builder builder(block, end);
  builder.set_locations(end->locations());
  builder.branch(*end->successors()[taken].block, {passed.begin(), passed.end()});
  block.erase(end);
  return true;
}

bool is_forwarding(const BasicBlock& block) {
  if (&block == &block.function().entry() || block.instructions().size() != 1) return false;
  const auto branch = as<Branch>(block.terminator());
  if (!branch || branch.target() == &block) return false;
  return std::all_of(block.arguments().begin(), block.arguments().end(), [&](const auto& argument) {
    return std::all_of(argument->users().begin(), argument->users().end(),
                       [&](const Instruction* user) { return user == block.terminator(); });
  });
}

std::vector<Value*> passed_behind(const BlockEdge& edge) {
  const BasicBlock* block = edge.to();
  std::vector<Value*> passed;
  for (Value* value : Branch(*block->terminator()).passed()) {
    const Argument* argument = as_argument(value);
    const bool own = argument != nullptr && argument->block() == block;
    passed.push_back(own ? edge.passed()[argument->index()] : value);
  }
  return passed;
}

void skip_block(const BlockEdge& edge) {
  BasicBlock* target = Branch(*edge.to()->terminator()).target();
  edge.terminator->set_successor(edge.successor, target, passed_behind(edge));
}

BasicBlock* insert_block(BasicBlock& to, const std::vector<BlockEdge>& edges, const std::string& name) {
  BasicBlock* made = to.function().add_block(name, edges.back().from());
  Builder builder(*made);
  builder.set_locations(edges.front().terminator->locations());
  std::vector<Value*> passed;
  for (const auto& argument : to.arguments()) {
    const std::string& like = argument->name();
    passed.push_back(made->add_argument(argument->type(), like.empty() ? like : like + "_0"));
  }
  builder.branch(to, std::move(passed));
  for (const BlockEdge& edge : edges) edge.terminator->set_successor(edge.successor, made);
  return made;
}

BasicBlock* split_edge(const BlockEdge& edge, const std::string& name) {
  BasicBlock& to = *edge.to();
  BasicBlock* made = to.function().add_block(name, edge.from());
  Builder builder(*made);
  builder.set_locations(edge.terminator->locations());
  const auto passed = edge.passed();
  builder.branch(to, {passed.begin(), passed.end()});
  edge.terminator->set_successor(edge.successor, made, {});
  return made;
}

bool forward_arguments(Function& function) {
  const ControlFlow flow(function);
  bool changed = false;
  for (BasicBlock* block : flow.order()) {
    const auto& predecessors = flow.predecessors(block);
    if (predecessors.size() != 1 || !flow.is_reachable(block) || block->arguments().empty()) continue;
    const BlockEdge& edge = predecessors.front();
    if (edge.terminator->supplies_arguments()) continue;
    const std::vector<Value*> passed(edge.passed().begin(), edge.passed().end());
    for (std::size_t i = passed.size(); i-- > 0;) {
      replace_all_uses(*block->arguments()[i], *passed[i]);
      edge.terminator->remove_passed(edge.successor, i);
      block->remove_argument(i);
    }
    changed = true;
  }
  return changed;
}

BasicBlock* preheader(const Loop& loop) {
  if (loop.entries.size() != 1) return nullptr;
  const Instruction* end = loop.entries.front().terminator;
  return end->successors().size() == 1 ? end->block() : nullptr;
}

BasicBlock* make_preheader(const Loop& loop) {
  if (BasicBlock* block = preheader(loop)) return block;
  const bool one = loop.entries.size() == 1 && !loop.entries.front().terminator->supplies_arguments();
  return one ? split_edge(loop.entries.front(), "preheader")
             : insert_block(*loop.header, loop.entries, "preheader");
}

}  // namespace dlvm
