#include "dlvm/ir/function.h"

#include <algorithm>
#include <cassert>
#include <cstdlib>
#include <iterator>
#include <utility>

namespace dlvm {

void set_type(Value& value, Type type) { value.type_ = std::move(type); }

std::optional<double> Literal::splat() const {
  if (!is_splat()) return std::nullopt;
  return data_.real(0);
}

Instruction::Instruction(Opcode opcode, Type type, std::vector<Value*> operands,
                         std::vector<Attribute> attributes)
    : Value(Kind::instruction, std::move(type), ""),
      operands_(std::move(operands)),
      attributes_(std::move(attributes)),
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
  arguments_.push_back(std::make_unique<Argument>(std::move(type), std::move(name), arguments_.size()));
  return arguments_.back().get();
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

const Instruction* BasicBlock::terminator() const {
  if (instructions_.empty() || !instructions_.back()->is(Trait::terminator)) return nullptr;
  return instructions_.back().get();
}

Instruction* BasicBlock::terminator() {
  return const_cast<Instruction*>(static_cast<const BasicBlock*>(this)->terminator());
}

Function::~Function() { clear_body(); }

BasicBlock* Function::add_block(std::string name) {
  blocks_.push_back(std::make_unique<BasicBlock>(*this, std::move(name)));
  return blocks_.back().get();
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
  BasicBlock* block = add_block("entry");
  for (std::size_t i = 0; i < type_.parameters().size(); ++i)
    block->add_argument(type_.parameters()[i], i < names.size() ? names[i] : "");
  return block;
}

Literal* Function::literal(Type type, Tensor data) {
  literals_.push_back(std::make_unique<Literal>(std::move(type), std::move(data)));
  return literals_.back().get();
}

}  // namespace dlvm
