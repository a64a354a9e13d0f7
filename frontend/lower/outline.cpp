#include "frontend/lower/outline.h"

#include <algorithm>
#include <memory>
#include <unordered_map>

#include "dlvm/ir/builder.h"
#include "frontend/lower/outline_part.h"

namespace frontend::lower {

using dlvm::Opcode;

/// Builds the part in another function: all of it in one block, or, where ways join, in blocks like its own.
class PartBuilder {
 public:
  PartBuilder(const Outline::Part& part, dlvm::Function& to)
      : part_(part), to_(to), later_(to.literal(dlvm::ElementType::boolean, 0)) {
    BasicBlock& entry = *to.add_entry(names());
    for (std::size_t i = 0; i < part.arguments_.size(); ++i)
      copies_[part.arguments_[i]] = entry.arguments()[i].get();
    for (Value* each : part.extents_) copy_of_extents(each);
  }

  void build() {
    std::vector<const BasicBlock*> order;
    for (const BasicBlock* block : part_.flow_.order())
      if (part_.blocks_.contains(block)) order.push_back(block);
    for (const BasicBlock* block : order) add_block(*block);
    for (const BasicBlock* block : order) {
      copy_instructions(*block);
      if (part_.joins_ && block != part_.last_) leave(*block);
    }
    dlvm::Builder(*blocks_.at(part_.last_)).return_(copy_of(part_.value_));
    for (const auto& [original, copy] : made_)
      for (std::size_t i = 0; i < copy->operands().size(); ++i)
        copy->set_operand(i, copy_of(original->operand(i)));
    for (const auto& [terminator, successor, originals] : passed_)
      for (std::size_t i = 0; i < originals.size(); ++i)
        terminator->set_operand(terminator->first_passed(successor) + i, copy_of(originals[i]));
  }

 private:
  std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const Value* argument : part_.arguments_) names.push_back(argument->name());
    return names;
  }

  void add_block(const BasicBlock& block) {
    const bool own = part_.joins_ && &block != part_.first_;
    BasicBlock* made = own ? to_.add_block(block.name()) : &to_.entry();
    blocks_[&block] = made;
    if (!own) return;
    const bool supplied = is_supplied(block);
    for (const auto& argument : block.arguments())
      if (supplied || part_.built_.contains(argument.get()))
        copies_[argument.get()] = made->add_argument(argument->type(), argument->name());
  }

  bool is_supplied(const BasicBlock& block) const {
    return std::ranges::any_of(part_.flow_.predecessors(&block), [](const dlvm::BlockEdge& edge) {
      return edge.terminator->supplies_arguments();
    });
  }

  void copy_instructions(const BasicBlock& block) {
    for (const auto& each : block.instructions()) {
      if (each.get() == &part_.place_) return;
      if (!part_.built_.contains(each.get())) continue;
      copy(*each, *blocks_.at(&block));
    }
  }

  /// Copies what extents give to the entry, operands first.
  void copy_of_extents(Value* value) {
    const Instruction* instruction = dlvm::as_instruction(value);
    if (instruction == nullptr || copies_.contains(value)) return;
    for (Value* operand : instruction->operands()) copy_of_extents(operand);
    copy(*instruction, to_.entry());
  }

  /// Copies an instruction to the end of a block; its operands are set when all is copied.
  void copy(const Instruction& original, BasicBlock& to) {
    auto copy = std::make_unique<Instruction>(original.opcode(), original.type(),
                                              std::vector<Value*>(original.operands().size(), later_),
                                              original.attributes());
    copy->set_name(original.name());
    copy->set_locations(original.locations());
    Instruction* made = to.insert(std::move(copy));
    made_.emplace_back(&original, made);
    copies_[&original] = made;
  }

  /// Ends a block: as the original does, or without a decision where it has one way on.
  void leave(const BasicBlock& block) {
    const Instruction& exit = *block.terminator();
    std::vector<Value*> operands;
    std::vector<dlvm::Successor> successors;
    std::vector<std::vector<Value*>> passed;
    const bool decides = part_.decides(exit);
    if (decides)
      for (Value* operand : exit.own_operands()) operands.push_back(copy_of(operand));
    for (std::size_t i = 0; i < exit.successors().size(); ++i) {
      const BasicBlock* to = exit.successors()[i].block;
      if (!part_.goes(&block, to)) {
        if (decides) {
          successors.push_back({unreached(*to), 0});
          passed.emplace_back();
        }
        continue;
      }
      passed.emplace_back();
      const auto values = exit.passed(i);
      for (std::size_t k = 0; k < values.size(); ++k)
        if (part_.built_.contains(to->arguments()[k].get())) passed.back().push_back(values[k]);
      successors.push_back({blocks_.at(to), passed.back().size()});
    }
    for (const auto& each : passed) operands.insert(operands.end(), each.size(), later_);
    auto made = std::make_unique<Instruction>(
        decides ? exit.opcode() : Opcode::branch, exit.type(), std::move(operands),
        decides ? exit.attributes() : std::vector<dlvm::Attribute>(), std::move(successors));
    made->set_locations(exit.locations());
    Instruction* terminator = blocks_.at(&block)->insert(std::move(made));
    for (std::size_t i = 0; i < passed.size(); ++i) passed_.push_back({terminator, i, std::move(passed[i])});
  }

  /// A block for a way that has not been taken.
  BasicBlock* unreached(const BasicBlock& original) {
    BasicBlock* block = to_.add_block("unreached");
    for (const auto& argument : original.arguments()) block->add_argument(argument->type(), argument->name());
    dlvm::Builder(*block).trap();
    return block;
  }

  Value* copy_of(Value* written) {
    Value* value = part_.itself(written);
    Value*& copy = copies_[value];
    if (const dlvm::Literal* literal = dlvm::as_literal(value); copy == nullptr && literal != nullptr)
      copy = to_.copy(*literal, literal->type());
    return copy;
  }

  struct Passed {
    Instruction* terminator;
    std::size_t successor;
    std::vector<Value*> originals;
  };
  const Outline::Part& part_;
  dlvm::Function& to_;
  Value* later_;  ///< stands for what is built later
  std::unordered_map<const Value*, Value*> copies_;
  std::unordered_map<const BasicBlock*, BasicBlock*> blocks_;
  std::vector<std::pair<const Instruction*, Instruction*>> made_;
  std::vector<Passed> passed_;
};

Outline::Outline(dlvm::Function& function, const Instruction& place, std::vector<Value*> by,
                 const std::unordered_set<Instruction*>& same)
    : part_(std::make_unique<Part>(function, place, std::move(by), same)) {}
Outline::~Outline() = default;

Outline::Problem Outline::find(Value* value) { return part_->find(value); }
const std::vector<Value*>& Outline::arguments() const { return part_->arguments(); }
void Outline::build(dlvm::Function& function) const { PartBuilder(*part_, function).build(); }

}  // namespace frontend::lower
