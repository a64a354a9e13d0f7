#include "dlvm/transform/arm_rematerialization.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "dlvm/analysis/dominators.h"
#include "dlvm/analysis/effects.h"
#include "dlvm/analysis/leaves.h"
#include "dlvm/analysis/stack_record.h"
#include "dlvm/analysis/work.h"
#include "dlvm/ir/builder.h"
#include "dlvm/ir/instruction_views.h"

namespace dlvm {
namespace {

std::vector<Instruction*> instructions_of(const BasicBlock& block) {
  std::vector<Instruction*> out;
  for (const auto& instruction : block.instructions()) out.push_back(instruction.get());
  return out;
}

/// Whether the instruction computes a value from others, and does nothing else.
bool is_pure(const Instruction& instruction) {
  const auto is_stack = [](const Value* value) { return value->type().is_stack(); };
  return !instruction.is(Trait::terminator) && !has_effect(instruction) && !is_stack(&instruction) &&
         std::ranges::none_of(instruction.operands(), is_stack);
}

}  // namespace

/// The two blocks as one function. Arguments of its entry stand for what the second block has in any case,
/// and an instruction in front for each value that only the first block has and does not compute.
class ArmRematerialization::Blocks {
 public:
  Blocks(Instruction& push, Instruction& pop, const DominatorTree& dominators)
      : push_(push), pop_(pop), entry_(*joined_.add_entry({})) {
    find_parts();
    for (Instruction* instruction : instructions_of(*push.block()))
      if (is_pure(*instruction)) add(*instruction, in_first_, first_, dominators);
    for (auto& [part, value] : parts_) in_second_[part] = at(*value, in_first_, dominators);
    for (Instruction* instruction : instructions_of(*pop.block()))
      if (is_pure(*instruction) && !in_second_.contains(instruction))
        add(*instruction, in_second_, second_, dominators);
    finish();
  }

  bool is_empty() const { return first_ == nullptr || second_ == nullptr; }
  Function& joined() { return joined_; }
  MemoryPeak peak() const { return {first_, second_}; }

  /// Brings what `Rematerialization` has made of the function back to the blocks.
  void take_back();

 private:
  using Values = std::unordered_map<const Value*, Value*>;

  void find_parts();
  Value* at(Value& value, Values& copies, const DominatorTree& dominators);
  void add(Instruction& from, Values& copies, Instruction*& front, const DominatorTree& dominators);
  void finish();
  std::vector<Instruction*> find_kept() const;
  void keep(const std::vector<Instruction*>& kept);
  void rebuild_second();
  Value* in_block(Value* value);
  void remove_record();

  Instruction &push_, &pop_;
  Function joined_{"arm", Type::function({}, Type::tuple({}))};
  BasicBlock& entry_;
  /// The values that the second block takes from the stack, with those that the first one put there.
  std::vector<std::pair<Instruction*, Value*>> parts_;
  Values in_first_, in_second_;  ///< what stands in the function for a value as either block sees it
  std::unordered_map<const Value*, Value*> of_;  ///< and the value for which it stands
  Instruction *first_ = nullptr, *second_ = nullptr;
  std::vector<Value*> outputs_;  ///< what others use of the second block
  Instruction* end_ = nullptr;   ///< a tuple of them
};

void ArmRematerialization::Blocks::find_parts() {
  Instruction* record = match(push_.operand(0), Opcode::literal);
  const bool is_tuple = record != nullptr && pop_.type().is_tuple();
  if (!is_tuple) {
    parts_.emplace_back(&pop_, push_.operand(0));
    return;
  }
  for (Instruction* user : pop_.users())
    parts_.emplace_back(user, record->operand(Extract(*user).position()));
}

Value* ArmRematerialization::Blocks::at(Value& value, Values& copies, const DominatorTree& dominators) {
  if (const Literal* literal = as_literal(&value)) return joined_.copy(*literal, literal->type());
  if (const auto known = copies.find(&value); known != copies.end()) return known->second;
  const bool stays = &copies == &in_second_ || dominators.dominates(defining_block(&value), pop_.block());
  Value* made = nullptr;
  if (stays) {
    made = entry_.add_argument(value.type(), value.name());
    in_first_[&value] = in_second_[&value] = made;
  } else {
    Builder builder(entry_, first_);
    made = copies[&value] = builder.unary(Opcode::detach, entry_.add_argument(value.type(), value.name()));
  }
  of_[made] = &value;
  return made;
}

void ArmRematerialization::Blocks::add(Instruction& from, Values& copies, Instruction*& front,
                                       const DominatorTree& dominators) {
  std::vector<Value*> operands;
  for (Value* operand : from.operands()) operands.push_back(at(*operand, copies, dominators));
  auto copy =
      std::make_unique<Instruction>(from.opcode(), from.type(), std::move(operands), from.attributes());
  copy->set_locations(from.locations());
  Instruction* made = entry_.insert(std::move(copy));
  if (front == nullptr) front = made;
  copies[&from] = made;
  of_[made] = &from;
}

void ArmRematerialization::Blocks::finish() {
  const auto is_inside = [&](const Instruction* user) {
    return in_second_.contains(user) && user->block() == pop_.block();
  };
  std::vector<Value*> results;
  for (Instruction* instruction : instructions_of(*pop_.block())) {
    if (!in_second_.contains(instruction) || std::ranges::all_of(instruction->users(), is_inside)) continue;
    outputs_.push_back(instruction);
    results.push_back(in_second_.at(instruction));
  }
  Builder builder(entry_);
  end_ = as_instruction(builder.tuple(std::move(results)));
  builder.return_(end_);
}

/// The values of the first part of the function, or from before it, that the second part uses.
std::vector<Instruction*> ArmRematerialization::Blocks::find_kept() const {
  std::unordered_set<const Value*> used;
  for (const auto& instruction : joined_.blocks().back()->instructions())
    used.insert(instruction->operands().begin(), instruction->operands().end());
  std::vector<Instruction*> kept = instructions_of(entry_);
  std::erase_if(kept, [&](const Instruction* each) { return !used.contains(each); });
  return kept;
}

/// Pushes these, and makes them known in the second block.
void ArmRematerialization::Blocks::keep(const std::vector<Instruction*>& kept) {
  if (kept.empty()) return;
  std::vector<Value*> values;
  for (const Instruction* each : kept) values.push_back(of_.at(each));
  Value* stack = push_.operand(1);
  Builder before(*push_.block(), &push_);
  before.set_locations(push_.locations());
  Value* record = values.size() == 1 ? values[0] : before.tuple(values);
  before.push(record, stack);
  BasicBlock& block = *pop_.block();
  Builder behind(block, block.instructions().front().get());
  behind.set_locations(pop_.locations());
  Value* top = behind.pop(record->type(), stack);
  for (std::size_t i = 0; i < kept.size(); ++i)
    of_[kept[i]] = values.size() == 1 ? top : behind.extract(top, static_cast<std::int64_t>(i));
}

Value* ArmRematerialization::Blocks::in_block(Value* value) {
  if (const Literal* literal = as_literal(value))
    return pop_.block()->function().copy(*literal, literal->type());
  return of_.at(value);
}

/// Gives the instructions of the second block their operands, and adds those that are computed again.
void ArmRematerialization::Blocks::rebuild_second() {
  BasicBlock& block = *pop_.block();
  std::vector<Instruction*> made = instructions_of(*joined_.blocks().back());
  std::erase_if(made, [&](const Instruction* each) { return each == end_ || each->is(Trait::terminator); });
  const auto is_new = [&](const Instruction* each) { return !of_.contains(each); };
  for (std::size_t i = 0; i < made.size(); ++i) {
    std::vector<Value*> operands;
    for (Value* operand : made[i]->operands()) operands.push_back(in_block(operand));
    if (!is_new(made[i])) {
      Instruction* old = as_instruction(of_.at(made[i]));
      for (std::size_t k = 0; k < operands.size(); ++k)
        if (as_literal(operands[k]) == nullptr) old->set_operand(k, operands[k]);
      continue;
    }
    const auto next = std::find_if_not(made.begin() + static_cast<std::ptrdiff_t>(i), made.end(), is_new);
    const Instruction* before = next != made.end() ? as_instruction(of_.at(*next)) : block.terminator();
    auto copy = std::make_unique<Instruction>(made[i]->opcode(), made[i]->type(), std::move(operands),
                                              made[i]->attributes());
    copy->set_locations(made[i]->locations());
    of_[made[i]] = block.insert(std::move(copy), before);
  }
  for (std::size_t i = 0; i < outputs_.size(); ++i)
    if (Value* value = in_block(end_->operand(i)); value != outputs_[i])
      replace_all_uses(*outputs_[i], *value);
}

/// Removes the old push and pop, and the stack if it is not used any more.
void ArmRematerialization::Blocks::remove_record() {
  Instruction *stack = as_instruction(push_.operand(1)), *record = as_instruction(push_.operand(0));
  for (auto& [part, value] : parts_)
    if (part != &pop_) part->block()->erase(part);
  pop_.block()->erase(&pop_);
  push_.block()->erase(&push_);
  if (record != nullptr && record->users().empty() && is_pure(*record)) record->block()->erase(record);
  const std::vector<Instruction*> users = stack->users();
  if (std::ranges::any_of(users, [](auto* user) { return user->opcode() == Opcode::pop; })) return;
  for (Instruction* user : users) user->block()->erase(user);
  stack->block()->erase(stack);
}

void ArmRematerialization::Blocks::take_back() {
  keep(find_kept());
  rebuild_second();
  remove_record();
}

ArmRematerialization::ArmRematerialization(std::unique_ptr<Blocks> blocks)
    : blocks_(std::move(blocks)),
      values_(std::make_unique<Rematerialization>(blocks_->joined(), blocks_->peak(), Extent::Bindings())) {}
ArmRematerialization::~ArmRematerialization() = default;
ArmRematerialization::ArmRematerialization(ArmRematerialization&&) noexcept = default;

void ArmRematerialization::apply(const RematerializationPlan& plan) {
  values_->apply(plan);
  blocks_->take_back();
}

Arms arms_of(Function& function) {
  Arms out;
  const ControlFlow flow(function);
  const DominatorTree dominators(flow);
  for (const auto& block : function.blocks())
    for (Instruction* stack : instructions_of(*block)) {
      if (stack->opcode() != Opcode::createStack) continue;
      Instruction *push = nullptr, *pop = nullptr;
      bool fits = stack_record(*stack).has_value();
      for (Instruction* user : stack->users()) {
        Instruction*& place = user->opcode() == Opcode::push ? push : pop;
        if (user->opcode() == Opcode::destroyStack) continue;
        fits = fits && user->opcode() != Opcode::peek && place == nullptr;
        place = user;
      }
      fits = fits && push != nullptr && pop != nullptr && push->block() != pop->block();
      if (fits && pop->type().is_tuple())
        fits = match(push->operand(0), Opcode::literal) != nullptr &&
               std::ranges::all_of(pop->users(), [&](const Instruction* user) {
                 return user->opcode() == Opcode::extract && user->block() == pop->block();
               });
      auto blocks = fits ? std::make_unique<ArmRematerialization::Blocks>(*push, *pop, dominators) : nullptr;
      if (blocks != nullptr && !blocks->is_empty())
        out.arms.push_back(ArmRematerialization(std::move(blocks)));
      else if (const auto record = stack_record(*stack))
        for (const Type& leaf : leaves(*record)) out.fixed += typical_bytes(leaf);
    }
  return out;
}

}  // namespace dlvm
