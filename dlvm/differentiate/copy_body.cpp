#include "dlvm/differentiate/copy_body.h"

#include <iterator>

#include "dlvm/analysis/control_flow.h"

namespace dlvm {
namespace {

class Copying {
 public:
  Copying(Builder& builder, const Function& function, const Extent::Substitution& names)
      : builder_(builder), function_(function), names_(names) {}

  /// Each block is copied behind those that dominate it, so that its operands are known.
  BodyCopy run(const std::vector<Value*>& arguments) {
    const ControlFlow flow(function_);
    copy_.instructions_before = builder_.block().instructions().size();
    for (std::size_t i = 0; i < arguments.size(); ++i)
      values_[function_.entry().arguments()[i].get()] = arguments[i];
    for (const BasicBlock* block : flow.order())
      if (flow.is_reachable(block)) add_block(*block);
    for (const BasicBlock* block : flow.order())
      if (flow.is_reachable(block))
        for (const auto& instruction : block->instructions()) copy(*instruction, *blocks_.at(block));
    return std::move(copy_);
  }

 private:
  void add_block(const BasicBlock& from) {
    BasicBlock*& made = blocks_[&from];
    if (copy_.blocks.empty()) {
      made = &builder_.block();
    } else {
      made = builder_.function().add_block(from.name(), copy_.blocks.back());
      for (const auto& argument : from.arguments())
        values_[argument.get()] = made->add_argument(argument->type().substitute(names_), argument->name());
    }
    copy_.blocks.push_back(made);
  }

  void copy(const Instruction& from, BasicBlock& to) {
    std::vector<Value*> operands;
    for (const Value* operand : from.operands()) operands.push_back(at(operand));
    if (from.opcode() == Opcode::return_) {
      copy_.exit = &to;
      if (!operands.empty()) copy_.result = operands[0];
      return;
    }
    std::vector<Attribute> attributes;
    for (const Attribute& attribute : from.attributes()) attributes.push_back(substitute(attribute, names_));
    std::vector<Successor> successors = from.successors();
    for (Successor& successor : successors) successor.block = blocks_.at(successor.block);
    auto made =
        std::make_unique<Instruction>(from.opcode(), from.type().substitute(names_), std::move(operands),
                                      std::move(attributes), std::move(successors));
    made->set_name(from.name());
    made->set_locations(from.locations());
    values_[&from] = to.insert(std::move(made));
  }

  /// A literal is copied when it is first used.
  Value* at(const Value* value) {
    Value*& copy = values_[value];
    if (copy == nullptr)
      if (const Literal* literal = as_literal(value))
        copy = builder_.function().copy(*literal, literal->type().substitute(names_));
    return copy;
  }

  Builder& builder_;
  const Function& function_;
  const Extent::Substitution& names_;
  BodyCopy copy_;
  std::unordered_map<const Value*, Value*> values_;
  std::unordered_map<const BasicBlock*, BasicBlock*> blocks_;
};

}  // namespace

BodyCopy copy_body(Builder& builder, const Function& function, const std::vector<Value*>& arguments,
                   const Extent::Substitution& names) {
  return Copying(builder, function, names).run(arguments);
}

std::vector<std::string> argument_names(const Function& function) {
  std::vector<std::string> names;
  if (!function.has_body()) return names;
  for (const auto& argument : function.entry().arguments()) names.push_back(argument->name());
  return names;
}

void remove_unused(BasicBlock& block) {
  const auto& instructions = block.instructions();
  for (auto at = instructions.end(); at != instructions.begin();) {
    Instruction* instruction = std::prev(at)->get();
    const bool needed = !instruction->users().empty() || instruction->is(Trait::terminator) ||
                        instruction->is(Trait::may_fail) || instruction->is(Trait::effect) ||
                        instruction->opcode() == Opcode::apply;
    if (needed)
      --at;
    else
      block.erase(instruction);
  }
}

void remove_unused(Function& function) {
  for (auto block = function.blocks().rbegin(); block != function.blocks().rend(); ++block)
    remove_unused(**block);
}

}  // namespace dlvm
