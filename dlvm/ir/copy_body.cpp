#include "dlvm/ir/copy_body.h"

#include <algorithm>

namespace dlvm {
Value* BodyCopy::at(const Value* value, Function& into, const Extent::Substitution& names) {
  Value*& copy = values[value];
  if (copy == nullptr)
    if (const Literal* literal = as_literal(value))
      copy = into.literal(literal->type().substitute(names), literal->data());
  return copy;
}

BodyCopy copy_body(Builder& builder, const Function& function, const std::vector<Value*>& arguments,
                   const Extent::Substitution& names) {
  BodyCopy copy;
  const BasicBlock& entry = function.entry();
  for (std::size_t i = 0; i < arguments.size(); ++i) copy.values[entry.arguments()[i].get()] = arguments[i];
  for (const auto& instruction : entry.instructions()) {
    std::vector<Value*> operands;
    for (const Value* operand : instruction->operands())
      operands.push_back(copy.at(operand, builder.function(), names));
    if (instruction->is(Trait::terminator)) {
      if (!operands.empty()) copy.result = operands[0];
      break;
    }
    std::vector<Attribute> attributes;
    for (const Attribute& attribute : instruction->attributes())
      attributes.push_back(substitute(attribute, names));
    auto made = std::make_unique<Instruction>(instruction->opcode(), instruction->type().substitute(names),
                                              std::move(operands), std::move(attributes));
    made->set_name(instruction->name());
    made->set_locations(instruction->locations());
    copy.instructions.push_back(builder.block().insert(std::move(made)));
    copy.values[instruction.get()] = copy.instructions.back();
  }
  return copy;
}

void copy_blocks(Function& to, const Function& from, const Extent::Substitution& names) {
  std::unordered_map<const BasicBlock*, BasicBlock*> blocks;
  BodyCopy copy;
  for (const auto& block : from.blocks()) {
    BasicBlock* made = blocks[block.get()] = to.add_block(block->name());
    for (const auto& argument : block->arguments())
      copy.values[argument.get()] = made->add_argument(argument->type().substitute(names), argument->name());
  }
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
      copy.values[instruction.get()] = made.back().second;
    }
  for (const auto& [original, instruction] : made)
    for (std::size_t i = 0; i < original->operands().size(); ++i)
      instruction->set_operand(i, copy.at(original->operand(i), to, names));
}

void copy_requirements(Function& to, const Function& from, const Extent::Substitution& names) {
  for (Requirement requirement : from.requirements) {
    requirement.left = requirement.left.substitute(names);
    requirement.right = requirement.right.substitute(names);
    const auto same = [&](const Requirement& other) {
      return other.left == requirement.left && other.relation == requirement.relation &&
             other.right == requirement.right;
    };
    if (std::none_of(to.requirements.begin(), to.requirements.end(), same))
      to.requirements.push_back(std::move(requirement));
  }
}

void remove_unused(BasicBlock& block) {
  const auto& instructions = block.instructions();
  for (auto at = instructions.end(); at != instructions.begin();) {
    Instruction* instruction = std::prev(at)->get();
    const bool needed = !instruction->users().empty() || instruction->is(Trait::terminator) ||
                        instruction->is(Trait::may_fail) || instruction->opcode() == Opcode::apply;
    if (needed)
      --at;
    else
      block.erase(instruction);
  }
}

}  // namespace dlvm
