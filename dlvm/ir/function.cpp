#include "dlvm/ir/function.h"

#include <algorithm>
#include <cassert>
#include <cstdlib>
#include <iterator>
#include <utility>

namespace dlvm {

void set_type(Value& value, Type type) { value.type_ = std::move(type); }

Literal::Literal(Type type, Form form, const Global* global)
    : Value(Kind::literal, std::move(type), ""), form_(form), global_(global) {
  data_ = this->type().is_tensor() ? Tensor(this->type().element(), {}) : Tensor(ElementType::f32, {0});
  if (this->type().is_tensor() && form == Form::zero) form_ = Form::data;
}

bool Literal::is_same_as(const Literal& other) const {
  return form_ == other.form_ && global_ == other.global_ && type() == other.type() && data_ == other.data_;
}

std::optional<double> Literal::splat() const {
  if (!is_splat()) return std::nullopt;
  return data_.real(0);
}

Instruction::Instruction(Opcode opcode, Type type, std::vector<Value*> operands,
                         std::vector<Attribute> attributes, std::vector<Successor> successors)
    : Value(Kind::instruction, std::move(type), ""),
      operands_(std::move(operands)),
      attributes_(std::move(attributes)),
      successors_(std::move(successors)),
      opcode_(opcode) {
  for (Value* operand : operands_) operand->users_.push_back(this);
}

Instruction::~Instruction() { drop_operands(); }

void Instruction::remove_user(Value* of) {
  auto& users = of->users_;
  // From the back: passes take instructions away last first.
  const auto at = std::find(users.rbegin(), users.rend(), this);
  assert(at != users.rend());
  users.erase(std::prev(at.base()));
}

void Instruction::set_operand(std::size_t i, Value* value) {
  remove_user(operands_[i]);
  operands_[i] = value;
  value->users_.push_back(this);
}

void Instruction::drop_operands() {
  for (Value* operand : operands_) remove_user(operand);
  operands_.clear();
  successors_.clear();
}

std::size_t Instruction::first_passed(std::size_t i) const {
  std::size_t behind = 0;
  for (std::size_t k = i; k < successors_.size(); ++k) behind += successors_[k].passed;
  return operands_.size() - behind;
}

std::span<Value* const> Instruction::passed(std::size_t i) const {
  return std::span(operands_).subspan(first_passed(i), successors_[i].passed);
}

std::span<Value* const> Instruction::own_operands() const {
  return std::span(operands_).first(first_passed(0));
}

void Instruction::set_successor(std::size_t i, BasicBlock* block, const std::vector<Value*>& passed) {
  const std::vector<Value*> given = passed;  // it may be a part of the operands
  while (successors_[i].passed > 0) remove_passed(i, successors_[i].passed - 1);
  for (Value* value : given) add_passed(i, value);
  successors_[i].block = block;
}

void Instruction::add_passed(std::size_t i, Value* value) {
  const std::size_t at = first_passed(i) + successors_[i].passed;
  operands_.insert(operands_.begin() + static_cast<std::ptrdiff_t>(at), value);
  value->users_.push_back(this);
  ++successors_[i].passed;
}

void Instruction::remove_passed(std::size_t i, std::size_t argument) {
  const std::size_t at = first_passed(i) + argument;
  remove_user(operands_[at]);
  operands_.erase(operands_.begin() + static_cast<std::ptrdiff_t>(at));
  --successors_[i].passed;
}

const Combinator& Instruction::combinator() const {
  for (const Attribute& attribute : attributes_)
    if (const auto* combinator = std::get_if<Combinator>(&attribute)) return *combinator;
  assert(false && "the instruction has no combinator");
  std::abort();
}

const Integers& Instruction::axes() const {
  for (const Attribute& attribute : attributes_)
    if (const auto* axes = std::get_if<Integers>(&attribute)) return *axes;
  assert(false && "the instruction has no axes");
  std::abort();
}

void Instruction::add_location(Location location) {
  if (!location.valid()) return;
  if (std::find(locations_.begin(), locations_.end(), location) == locations_.end())
    locations_.push_back(location);
}

void replace_all_uses(Value& from, Value& to) {
  assert(&from != &to);
  while (!from.users().empty()) {
    Instruction* user = from.users().back();
    for (std::size_t i = 0; i < user->operands().size(); ++i)
      if (user->operand(i) == &from) user->set_operand(i, &to);
  }
}

BasicBlock::~BasicBlock() {
  for (auto at = instructions_.rbegin(); at != instructions_.rend(); ++at) (*at)->drop_operands();
}

Argument* BasicBlock::add_argument(Type type, std::string name) {
  arguments_.push_back(
      std::make_unique<Argument>(std::move(type), std::move(name), *this, arguments_.size()));
  return arguments_.back().get();
}

void BasicBlock::remove_argument(std::size_t index) {
  assert(arguments_[index]->users().empty());
  arguments_.erase(arguments_.begin() + static_cast<std::ptrdiff_t>(index));
  for (std::size_t i = index; i < arguments_.size(); ++i) arguments_[i]->index_ = i;
}

Instruction* BasicBlock::insert(std::unique_ptr<Instruction> instruction, const Instruction* before) {
  instruction->block_ = this;
  Instruction* raw = instruction.get();
  const auto at = before != nullptr ? Instructions::const_iterator(before->place_) : instructions_.cend();
  raw->place_ = instructions_.insert(at, std::move(instruction));
  return raw;
}

void BasicBlock::erase(Instruction* instruction) {
  assert(instruction->users().empty());
  instructions_.erase(instruction->place_);
}

void BasicBlock::take(Instruction* instruction, const Instruction* before) {
  const auto at = before != nullptr ? Instructions::const_iterator(before->place_) : instructions_.cend();
  instructions_.splice(at, instruction->block_->instructions_, instruction->place_);
  instruction->block_ = this;
}

void BasicBlock::take_from(BasicBlock& from, Instruction* first) {
  for (auto at = first->place_; at != from.instructions_.end(); ++at) (*at)->block_ = this;
  instructions_.splice(instructions_.end(), from.instructions_, first->place_, from.instructions_.end());
}

const Instruction* BasicBlock::terminator() const {
  if (instructions_.empty() || !instructions_.back()->is(Trait::terminator)) return nullptr;
  return instructions_.back().get();
}

Instruction* BasicBlock::terminator() {
  return const_cast<Instruction*>(static_cast<const BasicBlock*>(this)->terminator());
}

Function::~Function() { clear_body(); }

BasicBlock* Function::insert(std::string name, Blocks::const_iterator before) {
  const auto at = blocks_.insert(before, std::make_unique<BasicBlock>(*this, std::move(name)));
  (*at)->place_ = at;
  return at->get();
}

BasicBlock* Function::add_block(std::string name, const BasicBlock* after) {
  assert(after == nullptr || after->function_ == this);
  return insert(std::move(name),
                after != nullptr ? std::next(Blocks::const_iterator(after->place_)) : blocks_.cend());
}

void Function::erase_blocks(const std::unordered_set<const BasicBlock*>& blocks) {
  for (const auto& block : blocks_)
    if (blocks.contains(block.get()))
      for (const auto& instruction : block->instructions()) instruction->drop_operands();
  std::erase_if(blocks_, [&](const auto& block) { return blocks.contains(block.get()); });
}

bool Function::is_straight_line() const {
  if (blocks_.size() != 1) return false;
  const Instruction* end = entry().terminator();
  return end != nullptr && end->opcode() == Opcode::return_;
}

void Function::clear_body() {
  for (auto block = blocks_.rbegin(); block != blocks_.rend(); ++block)
    for (auto at = (*block)->instructions().rbegin(); at != (*block)->instructions().rend(); ++at)
      (*at)->drop_operands();
  blocks_.clear();
}

void Function::take_body(Function& other) {
  assert(type_ == other.type_);
  clear_body();
  blocks_ = std::move(other.blocks_);
  literals_.insert(literals_.end(), std::make_move_iterator(other.literals_.begin()),
                   std::make_move_iterator(other.literals_.end()));
  other.blocks_.clear();
  other.literals_.clear();
  for (const auto& block : blocks_) block->function_ = this;
}

BasicBlock* Function::add_entry(const std::vector<std::string>& names) {
  BasicBlock* block = insert("entry", blocks_.cbegin());
  for (std::size_t i = 0; i < type_.parameters().size(); ++i)
    block->add_argument(type_.parameters()[i], i < names.size() ? names[i] : "");
  return block;
}

Literal* Function::literal(Type type, Tensor data) {
  literals_.push_back(std::make_unique<Literal>(std::move(type), std::move(data)));
  return literals_.back().get();
}

Literal* Function::literal(Type type, Literal::Form form, const Global* global) {
  literals_.push_back(std::make_unique<Literal>(std::move(type), form, global));
  return literals_.back().get();
}

Literal* Function::copy(const Literal& original, Type type) {
  if (original.form() == Literal::Form::data) return literal(std::move(type), original.data());
  return literal(std::move(type), original.form(), original.global());
}

bool add_requirement(std::vector<Requirement>& requirements, Requirement requirement) {
  const auto same = [&](const Requirement& other) {
    return other.left == requirement.left && other.relation == requirement.relation &&
           other.right == requirement.right;
  };
  if (std::ranges::any_of(requirements, same)) return false;
  requirements.push_back(std::move(requirement));
  return true;
}

void copy_requirements(Function& to, const Function& from, const Extent::Substitution& names) {
  for (Requirement requirement : from.requirements) {
    requirement.left = requirement.left.substitute(names);
    requirement.right = requirement.right.substitute(names);
    add_requirement(to.requirements, std::move(requirement));
  }
}

}  // namespace dlvm
