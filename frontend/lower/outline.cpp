#include "frontend/lower/outline.h"

#include <algorithm>
#include <memory>
#include <unordered_map>

#include "dlvm/analysis/control_flow.h"
#include "dlvm/analysis/dominators.h"
#include "dlvm/ir/builder.h"

namespace frontend::lower {

using dlvm::BasicBlock;
using dlvm::Instruction;
using dlvm::Opcode;
using dlvm::Value;

/// The blocks of the part are those on some way from where the values stand to the instruction, on which the
/// values are not computed anew. The first one and the last one belong to it in part. Where loops begin on
/// such a way and have the instruction in them, the way goes through the round at hand alone: what they carry
/// from round to round is taken from outside, and must not depend on the values.
class Outline::Part {
 public:
  Part(dlvm::Function& function, const Instruction& place, std::vector<Value*> by,
       const std::unordered_set<Instruction*>& same)
      : flow_(function), dominators_(flow_), place_(place), by_(std::move(by)), same_(same) {
    first_ = dlvm::defining_block(by_.front());
    last_ = place.block();
    arguments_ = by_;
    if (first_ == nullptr) return;
    find_blocks();
    find_dependent();
    find_headers();
    if (headers_.empty()) return;
    find_carried();
    find_blocks();
  }

  Problem find(Value* value) {
    value_ = itself(value);
    if (!is_by(value_) && !dependent_.contains(value_)) return Problem::independent;
    joins_ = depends_through_join();
    if (joins_ && in_cycle(last_)) return Problem::through_loop;
    waiting_.push_back(value_);
    if (joins_)
      for (const BasicBlock* block : flow_.order())
        if (blocks_.contains(block) && block != last_) need_decision(*block);
    while (!waiting_.empty()) {
      Value* next = waiting_.back();
      waiting_.pop_back();
      if (is_carried(itself(next))) return Problem::through_loop;
      need(next);
    }
    return Problem::none;
  }

  const std::vector<Value*>& arguments() const { return arguments_; }
  void build(dlvm::Function& function) const;

 private:
  // --------------------------------------------------------------------------------- what belongs to it

  /// Whether the way leads to another round of a loop in which the instruction stands.
  bool starts_round(const BasicBlock* from, const BasicBlock* to) const {
    return headers_.contains(to) && dominators_.dominates(to, from);
  }

  /// Whether a way inside the part may go from one block to the other.
  bool goes(const BasicBlock* from, const BasicBlock* to) const {
    return to != first_ && blocks_.contains(to) && !starts_round(from, to);
  }

  /// Whether the value is carried from round to round of a loop in which the instruction stands, and depends
  /// on the values.
  bool is_carried(const Value* value) const { return is_of_header(value) && carried_.contains(value); }

  bool is_of_header(const Value* value) const {
    const dlvm::Argument* argument = dlvm::as_argument(value);
    return argument != nullptr && headers_.contains(argument->block());
  }

  /// Finds where the loops begin in which the instruction stands, and the values do not.
  void find_headers() {
    for (const BasicBlock* header : flow_.order()) {
      if (header == first_ || !dominators_.dominates(first_, header) || !dominators_.dominates(header, last_))
        continue;
      std::unordered_set<const BasicBlock*> reached{last_};
      std::vector<const BasicBlock*> stack{last_};
      while (!stack.empty()) {
        const BasicBlock* block = stack.back();
        stack.pop_back();
        for (const dlvm::Successor& next : block->terminator()->successors())
          if (next.block != header && reached.insert(next.block).second) stack.push_back(next.block);
      }
      for (const dlvm::BlockEdge& edge : flow_.predecessors(header))
        if (dominators_.dominates(header, edge.from()) && reached.contains(edge.from()))
          headers_.insert(header);
    }
  }

  void find_blocks() {
    std::unordered_set<const BasicBlock*> after;
    std::vector<const BasicBlock*> stack{first_};
    while (!stack.empty()) {
      const BasicBlock* block = stack.back();
      stack.pop_back();
      for (const dlvm::Successor& next : block->terminator()->successors())
        if (next.block != first_ && !starts_round(block, next.block) && after.insert(next.block).second)
          stack.push_back(next.block);
    }
    blocks_ = {first_, last_};
    if (last_ != first_) stack.push_back(last_);
    while (!stack.empty()) {
      const BasicBlock* block = stack.back();
      stack.pop_back();
      for (const dlvm::BlockEdge& edge : flow_.predecessors(block))
        if (after.contains(edge.from()) && !starts_round(edge.from(), block) &&
            blocks_.insert(edge.from()).second)
          stack.push_back(edge.from());
    }
  }

  /// The blocks to which ways inside the part lead from this one.
  std::unordered_set<const BasicBlock*> behind(const BasicBlock* from) const {
    std::unordered_set<const BasicBlock*> found;
    std::vector<const BasicBlock*> stack{from};
    while (!stack.empty()) {
      const BasicBlock* block = stack.back();
      stack.pop_back();
      for (const dlvm::Successor& next : block->terminator()->successors())
        if (goes(block, next.block) && found.insert(next.block).second) stack.push_back(next.block);
    }
    return found;
  }

  bool in_cycle(const BasicBlock* block) {
    const auto [known, fresh] = in_cycle_.try_emplace(block, false);
    if (fresh) known->second = block != first_ && behind(block).contains(block);
    return known->second;
  }

  // -------------------------------------------------------------------------------------- what depends

  /// Where a condition depends on the values, so does all that is different behind it.
  void find_dependent() {
    std::vector<const Value*> stack(by_.begin(), by_.end());
    const auto add = [&](const Value* value) {
      if (!is_by(value) && dependent_.insert(value).second) stack.push_back(value);
    };
    while (!stack.empty()) {
      const Value* value = stack.back();
      stack.pop_back();
      for (const Instruction* user : value->users()) {
        if (user == &place_ || !blocks_.contains(user->block())) continue;
        add(user);
        for (std::size_t i = 0; i < user->successors().size(); ++i) {
          if (!goes(user->block(), user->successors()[i].block)) continue;
          const auto passed = user->passed(i);
          for (std::size_t k = 0; k < passed.size(); ++k)
            if (passed[k] == value) add(user->successors()[i].block->arguments()[k].get());
        }
        const auto own = user->own_operands();
        if (user->successors().empty() || std::ranges::find(own, value) == own.end()) continue;
        for (const BasicBlock* block : behind(user->block()))
          for (const auto& argument : block->arguments()) add(argument.get());
      }
    }
  }

  /// Finds what depends on the values in this round or an earlier one. A condition decides which of several
  /// ways within the round leads to a block; that it decides about further rounds does not count.
  void find_carried() {
    std::vector<const Value*> stack(by_.begin(), by_.end());
    const auto add = [&](const Value* value) {
      if (!is_by(value) && carried_.insert(value).second) stack.push_back(value);
    };
    while (!stack.empty()) {
      const Value* value = stack.back();
      stack.pop_back();
      for (const Instruction* user : value->users()) {
        if (user == &place_ || !blocks_.contains(user->block())) continue;
        add(user);
        for (std::size_t i = 0; i < user->successors().size(); ++i) {
          const BasicBlock* to = user->successors()[i].block;
          if (to == first_ || !blocks_.contains(to)) continue;
          const auto passed = user->passed(i);
          for (std::size_t k = 0; k < passed.size(); ++k)
            if (passed[k] == value) add(to->arguments()[k].get());
        }
        const auto own = user->own_operands();
        if (!user->successors().empty() && std::ranges::find(own, value) != own.end())
          for (const BasicBlock* join : joins_behind(user->block()))
            for (const auto& argument : join->arguments()) add(argument.get());
      }
    }
  }

  /// Returns the blocks to which several ways within the round lead from this one.
  std::vector<const BasicBlock*> joins_behind(const BasicBlock* from) const {
    std::unordered_set<const BasicBlock*> reached = behind(from);
    reached.insert(from);
    std::vector<const BasicBlock*> joins;
    for (const BasicBlock* block : flow_.order()) {
      const auto& edges = flow_.predecessors(block);
      const bool inside = dominators_.dominates(block, from);
      const auto leads = [&](const dlvm::BlockEdge& edge) {
        return reached.contains(edge.from()) && (inside || !starts_round(edge.from(), block));
      };
      if (blocks_.contains(block) && std::ranges::count_if(edges, leads) > 1) joins.push_back(block);
    }
    return joins;
  }

  bool is_by(const Value* value) const { return std::ranges::find(by_, value) != by_.end(); }

  Value* itself(Value* value) const {
    for (Instruction* at = dlvm::as_instruction(value); at != nullptr && !is_by(at) && same_.contains(at);
         at = dlvm::as_instruction(value))
      value = at->operand(0);
    return value;
  }

  /// Whether the value depends on the others through an argument of a block. Otherwise it does through
  /// instructions alone, each of which is above the next.
  bool depends_through_join() const {
    std::unordered_set<const Value*> seen;
    std::vector<Value*> stack{value_};
    while (!stack.empty()) {
      Value* value = itself(stack.back());
      stack.pop_back();
      if (!dependent_.contains(value) || !seen.insert(value).second) continue;
      const Instruction* instruction = dlvm::as_instruction(value);
      if (instruction == nullptr) return true;
      stack.insert(stack.end(), instruction->operands().begin(), instruction->operands().end());
    }
    return false;
  }

  // ---------------------------------------------------------------------------------------- what is built

  /// A value that does not depend on the others is taken as it is, if it is still what it was when the part
  /// needs it.
  bool is_outside(const Value* value) {
    if (is_of_header(value)) return true;
    const BasicBlock* block = dlvm::defining_block(value);
    if (!blocks_.contains(block)) return true;
    if (dependent_.contains(value)) return false;
    return !joins_ || block == first_ || (dominators_.dominates(block, last_) && !in_cycle(block));
  }

  void need(Value* written) {
    Value* value = itself(written);
    if (dlvm::as_literal(value) != nullptr || is_by(value) || !seen_.insert(value).second) return;
    if (is_outside(value)) {
      (follows_from_extents(value) ? extents_ : arguments_).push_back(value);
      return;
    }
    built_.insert(value);
    if (const Instruction* instruction = dlvm::as_instruction(value))
      waiting_.insert(waiting_.end(), instruction->operands().begin(), instruction->operands().end());
    else
      take_join(*dlvm::as_argument(value));
  }

  /// Whether the value is a number that is computed from extents alone. The part computes it anew, so that
  /// the rounds of its loops are known to be bounded by extents.
  static bool follows_from_extents(Value* value) {
    constexpr std::size_t most = 64;
    std::unordered_set<const Value*> seen{value};
    std::vector<Value*> stack{value};
    while (!stack.empty()) {
      const Instruction* each = dlvm::as_instruction(stack.back());
      stack.pop_back();
      if (each == nullptr || !is_arithmetic_of_integers(*each) || seen.size() > most) return false;
      for (Value* operand : each->operands())
        if (dlvm::as_literal(operand) == nullptr && seen.insert(operand).second) stack.push_back(operand);
    }
    return true;
  }

  static bool is_arithmetic_of_integers(const Instruction& instruction) {
    const dlvm::Type& type = instruction.type();
    if (!type.is_tensor() || type.rank() != 0 || !dlvm::is_integer(type.element())) return false;
    switch (instruction.opcode()) {
      case Opcode::extent:
      case Opcode::add:
      case Opcode::subtract:
      case Opcode::multiply:
      case Opcode::negate:
      case Opcode::floorDivide:
      case Opcode::modulo:
      case Opcode::min:
      case Opcode::max:
        return true;
      default:
        return false;
    }
  }

  void take_join(const dlvm::Argument& argument) {
    for (const dlvm::BlockEdge& edge : flow_.predecessors(argument.block()))
      if (blocks_.contains(edge.from()) && !edge.terminator->supplies_arguments())
        waiting_.push_back(edge.passed()[argument.index()]);
  }

  /// Which way the block goes on, where it has several in the part.
  void need_decision(const BasicBlock& block) {
    const Instruction& exit = *block.terminator();
    if (decides(exit))
      for (Value* operand : exit.own_operands()) waiting_.push_back(operand);
  }

  /// The other ways do not lead to the instruction: they have not been taken when it is reached.
  bool decides(const Instruction& terminator) const {
    return terminator.supplies_arguments() ||
           std::ranges::count_if(terminator.successors(), [&](const dlvm::Successor& each) {
             return goes(terminator.block(), each.block);
           }) > 1;
  }

  friend class PartBuilder;
  dlvm::ControlFlow flow_;
  dlvm::DominatorTree dominators_;
  const Instruction& place_;
  std::vector<Value*> by_;
  const std::unordered_set<Instruction*>& same_;
  const BasicBlock *first_ = nullptr, *last_ = nullptr;
  std::unordered_set<const BasicBlock*> blocks_;
  std::unordered_set<const BasicBlock*> headers_;  ///< of the loops in which the instruction stands alone
  std::unordered_map<const BasicBlock*, bool> in_cycle_;
  std::unordered_set<const Value*> dependent_, carried_, seen_, built_;
  std::vector<Value*> arguments_, waiting_;
  std::vector<Value*> extents_;  ///< what is computed from extents outside, and anew in the part
  Value* value_ = nullptr;
  bool joins_ = false;
};

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
