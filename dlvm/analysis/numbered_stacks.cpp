#include "dlvm/analysis/numbered_stacks.h"

#include <algorithm>
#include <unordered_set>

#include "dlvm/analysis/bounds.h"
#include "dlvm/analysis/type_parts.h"
#include "dlvm/ir/derived_names.h"
#include "dlvm/ir/instruction_views.h"

namespace dlvm {
namespace {

constexpr std::int64_t most_stacks = 1 << 16;

bool is_access(const Instruction& instruction) {
  const Opcode opcode = instruction.opcode();
  return opcode == Opcode::push || opcode == Opcode::peek || opcode == Opcode::pop;
}

/// Returns the stack that an access goes to.
const Value* stack_of(const Instruction& access) { return access.operands().back(); }

bool can_be_mapped(const Type& type) { return !NumberedStacks::holds_stack(NumberedStacks::mapped(type)); }

bool takes_numbers(const Instruction& instruction) {
  switch (instruction.opcode()) {
    case Opcode::createStack:
    case Opcode::destroyStack:
    case Opcode::push:
    case Opcode::peek:
    case Opcode::pop:
    case Opcode::literal:
    case Opcode::extract:
    case Opcode::insert:
    case Opcode::branch:
    case Opcode::conditional:
    case Opcode::allocateStack:
    case Opcode::elementPointer:
    case Opcode::load:
    case Opcode::store:
    case Opcode::copy:
      return true;
    default:
      return false;
  }
}

}  // namespace

NumberedStacks::NumberedStacks(Function& function) : function_(function) {
  const auto meets = [](const auto& value) { return holds_stack(value->type()); };
  const bool any = std::ranges::any_of(function.blocks(), [&](const auto& block) {
    return std::ranges::any_of(block->arguments(), meets) ||
           std::ranges::any_of(block->instructions(), [&](const auto& instruction) {
             return instruction->opcode() != Opcode::createStack && meets(instruction);
           });
  });
  if (!any || !can_be_numbered()) return;
  find_meetings();
  if (!find_pools()) pools_.clear();
}

bool NumberedStacks::holds_stack(const Type& type) {
  return any_part_of(type, [](const Type& each) { return each.is_stack(); });
}

Type NumberedStacks::mapped(const Type& type) {
  return with_parts_replaced(type, [](const Type& part) {
    return part.is_stack() ? std::optional(Type::scalar(number)) : std::nullopt;
  });
}

bool NumberedStacks::is_numbered(const Value& stack) const {
  return stack.type().is_stack() && pool_of_.contains(root(&stack));
}

const Value* NumberedStacks::root(const Value* stack) const {
  for (auto found = parents_.find(stack); found != parents_.end(); found = parents_.find(stack))
    stack = found->second;
  return stack;
}

void NumberedStacks::join(const Value* left, const Value* right) {
  left = root(left);
  right = root(right);
  if (left == right) return;
  if (left == nullptr) std::swap(left, right);
  parents_[left] = right;
}

bool NumberedStacks::can_be_numbered() const {
  for (const auto& block : function_.blocks()) {
    for (const auto& argument : block->arguments()) {
      const bool concerned = holds_stack(argument->type());
      if (concerned && (block.get() == &function_.entry() || !can_be_mapped(argument->type()))) return false;
    }
    for (const auto& instruction : block->instructions()) {
      bool concerned = holds_stack(instruction->type());
      if (!can_be_mapped(instruction->type())) return false;
      for (const Value* operand : instruction->operands()) {
        concerned = concerned || holds_stack(operand->type());
        if (!can_be_mapped(operand->type())) return false;
      }
      if (concerned && !takes_numbers(*instruction)) return false;
    }
  }
  return true;
}

/// A stack that a branch passes on meets what the block takes. Those that go into a tuple, to memory or to a
/// stack, or come from there, meet all others that do.
void NumberedStacks::find_meetings() {
  for (const auto& block : function_.blocks())
    for (const auto& instruction : block->instructions()) {
      for (std::size_t i = 0; i < instruction->successors().size(); ++i) {
        const auto passed = instruction->passed(i);
        const auto& arguments = instruction->successors()[i].block->arguments();
        for (std::size_t a = 0; a < passed.size(); ++a)
          if (passed[a]->type().is_stack()) join(passed[a], arguments[a].get());
      }
      if (instruction->opcode() == Opcode::createStack || instruction->opcode() == Opcode::destroyStack)
        continue;
      const auto own = instruction->own_operands();
      for (std::size_t i = 0; i < own.size(); ++i)
        if (own[i]->type().is_stack() && !(is_access(*instruction) && i + 1 == own.size()))
          join(own[i], nullptr);
      if (instruction->type().is_stack()) join(instruction.get(), nullptr);
    }
}

bool NumberedStacks::find_pools() {
  const ControlFlow flow(function_);
  const DominatorTree dominators(flow);
  const LoopNest loops(flow, dominators);
  Bounds bounds(flow, dominators, loops);
  const auto pool_at = [&](const Value* stack) -> StackPool& {
    const auto [place, fresh] = pool_of_.try_emplace(root(stack), pools_.size());
    if (fresh) pools_.emplace_back();
    return pools_[place->second];
  };
  std::unordered_set<const Value*> meeting;
  for (const auto& [stack, parent] : parents_) meeting.insert(root(stack));
  std::int64_t count = 0;
  for (const auto& block : function_.blocks())
    for (const auto& instruction : block->instructions()) {
      if (instruction->opcode() == Opcode::createStack && meeting.contains(root(instruction.get()))) {
        const auto runs = bounds.most_runs(*block);
        const auto most = runs ? runs->constant() : std::nullopt;
        const bool zeros_below = std::holds_alternative<Integers>(instruction->attributes()[1]);
        if (!most || *most > most_stacks || (count += *most) > most_stacks || zeros_below) return false;
        const auto* capacity = std::get_if<Shape>(&instruction->attributes()[0]);
        pool_at(instruction.get())
            .stacks.push_back(
                {instruction.get(),
                 capacity != nullptr ? capacity->front() : Extent::dimension(name_after(function_, "steps")),
                 *most, loops.innermost(block.get()) != nullptr});
      }
      if (!is_access(*instruction) || !meeting.contains(root(stack_of(*instruction)))) continue;
      StackPool& pool = pool_at(stack_of(*instruction));
      pool.accesses.push_back(instruction.get());
      const bool pushes = instruction->opcode() == Opcode::push;
      const Type type = mapped(pushes ? instruction->operand(0)->type() : instruction->type());
      if (std::ranges::find(pool.types, type) == pool.types.end()) pool.types.push_back(type);
    }
  return std::ranges::all_of(pools_, [](const StackPool& pool) { return !pool.stacks.empty(); });
}

}  // namespace dlvm
