#include "dlvm/transform/view_sinking.h"

#include <unordered_map>

#include "dlvm/analysis/dominators.h"
#include "dlvm/ir/instruction_views.h"

namespace dlvm {
namespace {

/// Returns whether neighbours in the result are neighbours in the operand.
bool keeps_neighbours(const Instruction& instruction) {
  const auto slice = as<Slice>(instruction);
  return slice ? !slice.has_steps() : instruction.is(Trait::reshape);
}

/// Returns whether the value is a parameter of the function, or such a view of one.
bool is_in_parameter(const Value* value, const Function& function) {
  const Instruction* instruction = as_instruction(value);
  for (; instruction != nullptr; instruction = as_instruction(value)) {
    if (instruction->operands().size() != 1 || !keeps_neighbours(*instruction)) return false;
    value = instruction->operand(0);
  }
  return defining_block(value) == &function.entry();
}

/// Lets each other block that uses the view compute it; returns whether there was any.
bool sink(Instruction& view) {
  std::unordered_map<BasicBlock*, Instruction*> copies;
  const std::vector<Instruction*> users = view.users();
  for (Instruction* user : users) {
    BasicBlock* block = user->block();
    if (block == view.block() || user->is(Trait::terminator)) continue;
    Instruction*& copy = copies[block];
    if (copy == nullptr) {
      auto made = std::make_unique<Instruction>(view.opcode(), view.type(), std::vector{view.operand(0)},
                                                view.attributes());
      made->set_name(view.name());
      made->set_locations(view.locations());
      copy = block->insert(std::move(made), block->instructions().front().get());
    }
    for (std::size_t i = 0; i < user->operands().size(); ++i)
      if (user->operand(i) == &view) user->set_operand(i, copy);
  }
  return !copies.empty();
}

}  // namespace

bool view_sinking(Function& function) {
  bool changed = false;
  for (const auto& block : function.blocks()) {
    std::vector<Instruction*> views;
    for (const auto& instruction : block->instructions())
      if (is_in_parameter(instruction.get(), function)) views.push_back(instruction.get());
    // A view of a view is the first to move, so that what it shows has moved users as well.
    for (auto view = views.rbegin(); view != views.rend(); ++view) changed = sink(**view) || changed;
  }
  return changed;
}

}  // namespace dlvm
