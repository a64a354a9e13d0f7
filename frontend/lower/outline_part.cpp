#include "frontend/lower/outline_part.h"

namespace frontend::lower {

using dlvm::Opcode;

Outline::Part::Part(dlvm::Function& function, const Instruction& place, std::vector<Value*> by,
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

Outline::Problem Outline::Part::find(Value* value) {
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

bool Outline::Part::starts_round(const BasicBlock* from, const BasicBlock* to) const {
  return headers_.contains(to) && dominators_.dominates(to, from);
}

bool Outline::Part::goes(const BasicBlock* from, const BasicBlock* to) const {
  return to != first_ && blocks_.contains(to) && !starts_round(from, to);
}

bool Outline::Part::is_of_header(const Value* value) const {
  const dlvm::Argument* argument = dlvm::as_argument(value);
  return argument != nullptr && headers_.contains(argument->block());
}

void Outline::Part::find_headers() {
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

void Outline::Part::find_blocks() {
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

std::unordered_set<const BasicBlock*> Outline::Part::behind(const BasicBlock* from) const {
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

bool Outline::Part::in_cycle(const BasicBlock* block) {
  const auto [known, fresh] = in_cycle_.try_emplace(block, false);
  if (fresh) known->second = block != first_ && behind(block).contains(block);
  return known->second;
}

template <typename Goes, typename Decided>
void Outline::Part::follow(std::unordered_set<const Value*>& found, Goes goes, Decided decided) const {
  std::vector<const Value*> stack(by_.begin(), by_.end());
  const auto add = [&](const Value* value) {
    if (!is_by(value) && found.insert(value).second) stack.push_back(value);
  };
  while (!stack.empty()) {
    const Value* value = stack.back();
    stack.pop_back();
    for (const Instruction* user : value->users()) {
      if (user == &place_ || !blocks_.contains(user->block())) continue;
      add(user);
      for (std::size_t i = 0; i < user->successors().size(); ++i) {
        const BasicBlock* to = user->successors()[i].block;
        if (!goes(user->block(), to)) continue;
        const auto passed = user->passed(i);
        for (std::size_t k = 0; k < passed.size(); ++k)
          if (passed[k] == value) add(to->arguments()[k].get());
      }
      const auto own = user->own_operands();
      if (user->successors().empty() || std::ranges::find(own, value) == own.end()) continue;
      for (const BasicBlock* block : decided(user->block()))
        for (const auto& argument : block->arguments()) add(argument.get());
    }
  }
}

void Outline::Part::find_dependent() {
  follow(
      dependent_, [&](const BasicBlock* from, const BasicBlock* to) { return goes(from, to); },
      [&](const BasicBlock* block) { return behind(block); });
}

void Outline::Part::find_carried() {
  follow(
      carried_, [&](const BasicBlock*, const BasicBlock* to) { return to != first_ && blocks_.contains(to); },
      [&](const BasicBlock* block) { return joins_behind(block); });
}

std::vector<const BasicBlock*> Outline::Part::joins_behind(const BasicBlock* from) const {
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

Value* Outline::Part::itself(Value* value) const {
  for (Instruction* at = dlvm::as_instruction(value); at != nullptr && !is_by(at) && same_.contains(at);
       at = dlvm::as_instruction(value))
    value = at->operand(0);
  return value;
}

bool Outline::Part::depends_through_join() const {
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

bool Outline::Part::is_outside(const Value* value) {
  if (is_of_header(value)) return true;
  const BasicBlock* block = dlvm::defining_block(value);
  if (!blocks_.contains(block)) return true;
  if (dependent_.contains(value)) return false;
  return !joins_ || block == first_ || (dominators_.dominates(block, last_) && !in_cycle(block));
}

void Outline::Part::need(Value* written) {
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

bool Outline::Part::follows_from_extents(Value* value) {
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

bool Outline::Part::is_arithmetic_of_integers(const Instruction& instruction) {
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

void Outline::Part::take_join(const dlvm::Argument& argument) {
  for (const dlvm::BlockEdge& edge : flow_.predecessors(argument.block()))
    if (blocks_.contains(edge.from()) && !edge.terminator->supplies_arguments())
      waiting_.push_back(edge.passed()[argument.index()]);
}

void Outline::Part::need_decision(const BasicBlock& block) {
  const Instruction& exit = *block.terminator();
  if (decides(exit))
    for (Value* operand : exit.own_operands()) waiting_.push_back(operand);
}

bool Outline::Part::decides(const Instruction& terminator) const {
  return terminator.supplies_arguments() ||
         std::ranges::count_if(terminator.successors(), [&](const dlvm::Successor& each) {
           return goes(terminator.block(), each.block);
         }) > 1;
}

}  // namespace frontend::lower
