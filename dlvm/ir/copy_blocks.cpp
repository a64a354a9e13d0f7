#include "dlvm/ir/copy_blocks.h"

#include <unordered_map>

namespace dlvm {

void copy_blocks(Function& to, const Function& from, const Extent::Substitution& names) {
  std::unordered_map<const BasicBlock*, BasicBlock*> blocks;
  std::unordered_map<const Value*, Value*> values;
  for (const auto& block : from.blocks()) {
    BasicBlock* made = blocks[block.get()] = to.add_block(block->name());
    for (const auto& argument : block->arguments())
      values[argument.get()] = made->add_argument(argument->type().substitute(names), argument->name());
  }
  const auto copy_of = [&](const Value* value) {
    Value*& copy = values[value];
    if (const Literal* literal = as_literal(value); copy == nullptr && literal != nullptr)
      copy = to.copy(*literal, literal->type().substitute(names));
    return copy;
  };
  // An operand may be defined in a block that stands below.
  Value* later = to.literal(ElementType::boolean, 0);
  std::vector<std::pair<const Instruction*, Instruction*>> made;
  for (const auto& block : from.blocks())
    for (const auto& instruction : block->instructions()) {
      std::vector<Attribute> attributes;
      for (const Attribute& attribute : instruction->attributes())
        attributes.push_back(substitute(attribute, names));
      std::vector<Successor> successors = instruction->successors();
      for (Successor& successor : successors) successor.block = blocks.at(successor.block);
      auto each = std::make_unique<Instruction>(instruction->opcode(), instruction->type().substitute(names),
                                                std::vector<Value*>(instruction->operands().size(), later),
                                                std::move(attributes), std::move(successors));
      each->set_name(instruction->name());
      each->set_locations(instruction->locations());
      made.emplace_back(instruction.get(), blocks.at(block.get())->insert(std::move(each)));
      values[instruction.get()] = made.back().second;
    }
  for (const auto& [original, instruction] : made)
    for (std::size_t i = 0; i < original->operands().size(); ++i)
      instruction->set_operand(i, copy_of(original->operand(i)));
}

}  // namespace dlvm
