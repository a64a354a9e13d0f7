#include "dlvm/transform/tuple_expansion.h"

#include <algorithm>

#include "dlvm/analysis/control_flow.h"
#include "dlvm/analysis/leaves.h"
#include "dlvm/transform/tuple_leaves.h"

namespace dlvm {
namespace {

/// Whether the type is a tuple of tensors and of such tuples: what else it may hold is no leaf.
bool is_split(const Type& type) {
  const auto has_leaves = [](const Type& element) { return element.is_tensor() || is_split(element); };
  return type.is_tuple() && std::ranges::all_of(type.elements(), has_leaves);
}

/// Puts an argument behind the others, those for its leaves if it is a tuple.
void append(Argument& argument, BasicBlock& block, const std::vector<BlockEdge>& edges) {
  const std::size_t at = argument.index();
  if (!is_split(argument.type())) {
    for (const BlockEdge& edge : edges) {
      edge.terminator->add_passed(edge.successor, edge.passed()[at]);
      edge.terminator->remove_passed(edge.successor, at);
    }
    replace_all_uses(argument, *block.add_argument(argument.type(), argument.name()));
    return block.remove_argument(at);
  }
  const Instruction* first = block.instructions().front().get();
  Builder here(block, first);
  std::vector<Value*> leaves;
  for (const Type& leaf : dlvm::leaves(argument.type()))
    leaves.push_back(block.add_argument(leaf, argument.name()));
  for (const BlockEdge& edge : edges) {
    Builder there(*edge.from(), edge.terminator);
    for (Value* leaf : leaves_of(edge.passed()[at], there)) edge.terminator->add_passed(edge.successor, leaf);
    edge.terminator->remove_passed(edge.successor, at);
  }
  if (!argument.users().empty()) replace_all_uses(argument, *from_leaves(argument.type(), leaves, here));
  block.remove_argument(at);
}

bool split_arguments(Function& function) {
  const ControlFlow flow(function);
  bool changed = false;
  for (BasicBlock* block : flow.order()) {
    const auto& edges = flow.predecessors(block);
    const bool is_supplied = std::ranges::any_of(
        edges, [](const BlockEdge& edge) { return edge.terminator->supplies_arguments(); });
    if (block == &function.entry() || is_supplied) continue;
    // The order stays, in which calls of a function that becomes a loop pass leaves.
    const auto& arguments = block->arguments();
    const auto found =
        std::ranges::find_if(arguments, [](const auto& each) { return is_split(each->type()); });
    const auto at = static_cast<std::size_t>(found - arguments.begin());
    for (std::size_t left = arguments.size() - at; left > 0; --left) append(*arguments[at], *block, edges);
    changed = changed || found != arguments.end();
  }
  return changed;
}

std::vector<Instruction*> users_outside(const Instruction& tuple) {
  std::vector<Instruction*> found;
  for (Instruction* user : tuple.users())
    if (user->block() != tuple.block() && std::ranges::find(found, user) == found.end())
      found.push_back(user);
  return found;
}

/// Makes the tuple again where other blocks use it.
void split(Instruction& tuple, const std::vector<Instruction*>& users, const Instruction* behind) {
  Builder here(*tuple.block(), behind);
  here.set_locations(tuple.locations());
  const std::vector<Value*> leaves = leaves_of(&tuple, here);
  for (Instruction* user : users) {
    Builder there(*user->block(), user);
    there.set_locations(tuple.locations());
    Value* again = from_leaves(tuple.type(), leaves, there);
    for (std::size_t i = 0; i < user->operands().size(); ++i)
      if (user->operand(i) == &tuple) user->set_operand(i, again);
  }
}

bool split_instructions(BasicBlock& block) {
  bool changed = false;
  const auto& all = block.instructions();
  for (auto at = all.begin(); at != all.end(); ++at) {
    if (!is_split((*at)->type()) || !gives_value((*at)->definition())) continue;
    const std::vector<Instruction*> users = users_outside(**at);
    if (users.empty()) continue;
    split(**at, users, std::next(at)->get());
    changed = true;
  }
  return changed;
}

/// Lets what is taken out of a tuple be what was put in.
bool forward_components(Function& function) {
  std::vector<Instruction*> tuples;
  for (const auto& block : function.blocks())
    for (const auto& instruction : block->instructions())
      if (instruction->opcode() == Opcode::literal && instruction->type().is_tuple() &&
          std::ranges::any_of(instruction->users(),
                              [](const Instruction* user) { return user->opcode() == Opcode::extract; }))
        tuples.push_back(instruction.get());
  for (Instruction* tuple : tuples) forward_components(tuple);
  return !tuples.empty();
}

}  // namespace

bool tuple_expansion(Function& function) {
  bool changed = forward_components(function);
  if (function.blocks().size() < 2) return changed;
  changed = split_arguments(function) || changed;
  // An extract out of a tuple of tuples is a tuple itself, and stands behind it.
  for (const auto& block : function.blocks()) changed = split_instructions(*block) || changed;
  return changed;
}

}  // namespace dlvm
