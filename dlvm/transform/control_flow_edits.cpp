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
  const Literal* condition = conditional ? as_literal(conditional.condition()) : nullptr;
  if (condition == nullptr) return false;
  const std::size_t taken = condition->data().integer(0) != 0 ? 0 : 1;
  const auto passed = end->passed(taken);
  Builder builder(block, end);
  builder.set_locations(end->locations());
  builder.branch(*end->successors()[taken].block, {passed.begin(), passed.end()});
  block.erase(end);
  return true;
}

BasicBlock* insert_block(BasicBlock& to, const std::vector<BlockEdge>& edges, const std::string& name) {
  BasicBlock* made = to.function().add_block(name, edges.front().from());
  Builder builder(*made);
  builder.set_locations(edges.front().terminator->locations());
  std::vector<Value*> passed;
  if (edges.size() == 1 && !edges.front().terminator->supplies_arguments()) {
    const auto values = edges.front().passed();
    passed.assign(values.begin(), values.end());
    edges.front().terminator->set_successor(edges.front().successor, made, {});
    builder.branch(to, std::move(passed));
    return made;
  }
  for (const auto& argument : to.arguments())
    passed.push_back(made->add_argument(argument->type(), argument->name()));
  builder.branch(to, std::move(passed));
  for (const BlockEdge& edge : edges) edge.terminator->set_successor(edge.successor, made);
  return made;
}

BasicBlock* preheader(const Loop& loop) {
  if (loop.entries.size() != 1) return nullptr;
  const Instruction* end = loop.entries.front().terminator;
  return end->successors().size() == 1 ? end->block() : nullptr;
}

BasicBlock* make_preheader(const Loop& loop) {
  if (BasicBlock* block = preheader(loop)) return block;
  return insert_block(*loop.header, loop.entries, "preheader");
}

}  // namespace dlvm
