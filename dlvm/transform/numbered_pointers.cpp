#include "dlvm/transform/numbered_pointers.h"

#include <algorithm>

#include "dlvm/analysis/bounds.h"
#include "dlvm/analysis/pointer_uses.h"
#include "dlvm/analysis/type_parts.h"
#include "dlvm/ir/instruction_views.h"

namespace dlvm {
namespace {

constexpr std::int64_t most_values = 1 << 16;

bool is_address(const Type& type) { return type.is_pointer() || type.is_box(); }

bool is_allocation(const Instruction& instruction) {
  const Opcode opcode = instruction.opcode();
  return opcode == Opcode::allocateStack || opcode == Opcode::allocateHeap || opcode == Opcode::allocateBox;
}

/// The number of values that the allocation makes; nothing where it is not known, or too large.
std::optional<std::int64_t> count_of(const Instruction& allocation) {
  std::int64_t count = 1;
  if (allocation.opcode() == Opcode::allocateStack)
    count = std::get<Shape>(allocation.attributes()[1])[0].constant().value_or(-1);
  else if (allocation.opcode() == Opcode::allocateHeap) {
    const Literal* literal = as_literal(allocation.operand(0));
    if (literal == nullptr) return std::nullopt;
    count = literal->data().integer(0);
  }
  return count >= 0 && count <= most_values ? std::optional(count) : std::nullopt;
}

bool is_made_of_tensors(const Type& type) {
  if (type.is_tensor()) return true;
  if (!type.is_aggregate()) return false;
  for (std::size_t i = 0; i < type.component_count(); ++i)
    if (!is_made_of_tensors(type.component(i))) return false;
  return true;
}

/// Whether the pointer to a component is used where it is made alone.
bool stays(const Instruction& pointer) {
  return std::ranges::all_of(pointer.users(), [&](const Instruction* user) {
    if (user->opcode() == Opcode::elementPointer) return stays(*user);
    return user->opcode() == Opcode::load ||
           (user->opcode() == Opcode::store && user->operand(0) != &pointer);
  });
}

}  // namespace

NumberedPointers::NumberedPointers(const Function& function) : function_(function) {
  for (const auto& block : function.blocks())
    for (const auto& instruction : block->instructions()) {
      if (!is_allocation(*instruction) || pool_of(instruction->type())) continue;
      const PointerUses uses = pointer_uses(*instruction);
      if (uses.escape != nullptr || !uses.ends.empty()) pointees_.push_back(instruction->type().pointee());
    }
  if (!pointees_.empty() && can_be_numbered() && find_allocations()) return;
  pointees_.clear();
  allocations_.clear();
}

std::optional<std::size_t> NumberedPointers::pool_of(const Type& address) const {
  if (!is_address(address)) return std::nullopt;
  const auto found = std::ranges::find(pointees_, address.pointee());
  return found == pointees_.end() ? std::nullopt
                                  : std::optional(static_cast<std::size_t>(found - pointees_.begin()));
}

/// Whether values of the type hold numbered addresses, or lead to such.
bool NumberedPointers::holds(const Type& type) const {
  return any_part_of(type, [&](const Type& each) { return pool_of(each).has_value(); });
}

std::optional<std::size_t> NumberedPointers::pool(const Value& address) const {
  return is_of_component(address) ? std::nullopt : pool_of(address.type());
}

bool NumberedPointers::is_of_component(const Value& value) {
  const Instruction* made = as_instruction(&value);
  if (made == nullptr || made->opcode() != Opcode::elementPointer) return false;
  const bool enters = !std::get<Integers>(made->attributes()[0]).empty();
  return (enters || is_of_component(*made->operand(0))) && stays(*made);
}

bool NumberedPointers::can_be_mapped(const Type& type) const {
  return can_be_mapped_inside(is_address(type) && !pool_of(type) ? type.pointee() : type);
}

bool NumberedPointers::can_be_mapped_inside(const Type& type) const {
  if (pool_of(type) || !holds(type)) return true;
  if (!type.is_aggregate()) return false;
  for (std::size_t i = 0; i < type.component_count(); ++i)
    if (!can_be_mapped_inside(type.component(i))) return false;
  return true;
}

Type NumberedPointers::mapped(const Type& type) const {
  if (pool_of(type)) return Type::scalar(number);
  if (!holds(type)) return type;
  if (type.is_pointer()) return Type::pointer(mapped(type.pointee()));
  if (type.is_box()) return Type::box(mapped(type.pointee()));
  if (type.kind() == Type::Kind::array)
    return Type::array(static_cast<std::int64_t>(type.component_count()), mapped(type.component(0)));
  std::vector<Type> components;
  for (std::size_t i = 0; i < type.component_count(); ++i) components.push_back(mapped(type.component(i)));
  return Type::tuple(std::move(components));
}

bool NumberedPointers::can_be_numbered() const {
  for (const Type& pointee : pointees_)
    if (!can_be_mapped_inside(pointee) || !is_made_of_tensors(mapped(pointee))) return false;
  for (const auto& block : function_.blocks()) {
    const bool entry = block.get() == &function_.entry();
    for (const auto& argument : block->arguments())
      if (holds(argument->type()) && (entry || !can_be_mapped(argument->type()))) return false;
    for (const auto& instruction : block->instructions())
      if (!can_be_numbered(*instruction)) return false;
  }
  return true;
}

bool NumberedPointers::can_be_numbered(const Instruction& instruction) const {
  bool concerned = holds(instruction.type());
  if (!can_be_mapped(instruction.type())) return false;
  for (const Value* operand : instruction.operands()) {
    if (!holds(operand->type())) continue;
    concerned = true;
    const Literal* literal = as_literal(operand);
    if (!can_be_mapped(operand->type()) || (literal != nullptr && literal->global() != nullptr)) return false;
  }
  if (!concerned) return true;
  switch (instruction.opcode()) {
    case Opcode::allocateStack:
    case Opcode::allocateHeap:
    case Opcode::allocateBox:
    case Opcode::load:
    case Opcode::store:
    case Opcode::projectBox:
    case Opcode::retain:
    case Opcode::release:
    case Opcode::literal:
    case Opcode::extract:
    case Opcode::insert:
    case Opcode::push:
    case Opcode::pop:
    case Opcode::peek:
    case Opcode::branch:
    case Opcode::conditional:
      return true;
    case Opcode::copy:
      return !pool(*instruction.operand(0));
    case Opcode::deallocate:
      return has_single_values(*instruction.operand(0));
    case Opcode::elementPointer:
      return is_known_pointer(instruction);
    default:
      return false;
  }
}

/// Whether all that the pointer may point to was allocated to be deallocated, as one value.
bool NumberedPointers::has_single_values(const Value& pointer) const {
  const auto of = pool(pointer);
  if (!of) return true;
  for (const auto& block : function_.blocks())
    for (const auto& instruction : block->instructions())
      if (is_allocation(*instruction) && pool_of(instruction->type()) == of &&
          (instruction->opcode() != Opcode::allocateHeap || count_of(*instruction) != 1))
        return false;
  return true;
}

/// A pointer to a component is no number. One to another value of an allocation is one where it is known how
/// many the allocation has.
bool NumberedPointers::is_known_pointer(const Instruction& element_pointer) const {
  const Value& of = *element_pointer.operand(0);
  if (!pool(of)) return !pool(element_pointer);
  const Instruction* made = as_instruction(&of);
  if (first_value(element_pointer) != nullptr && (made == nullptr || !is_allocation(*made))) return false;
  return is_of_component(element_pointer) || std::get<Integers>(element_pointer.attributes()[0]).empty();
}

bool NumberedPointers::find_allocations() {
  const ControlFlow flow(function_);
  const DominatorTree dominators(flow);
  const LoopNest loops(flow, dominators);
  Bounds bounds(flow, dominators, loops);
  std::int64_t all = 0;
  for (const auto& block : function_.blocks())
    for (const auto& instruction : block->instructions()) {
      const auto at = pool_of(instruction->type());
      if (!is_allocation(*instruction) || !at) continue;
      const auto count = count_of(*instruction);
      const auto runs = bounds.most_runs(*block);
      const auto most = runs ? runs->constant() : std::nullopt;
      if (!count || !most || *most > most_values || (all += *count * *most) > most_values) return false;
      const bool repeats = loops.innermost(block.get()) != nullptr;
      allocations_.push_back({instruction.get(), *at, *count, *most, repeats});
    }
  return true;
}

}  // namespace dlvm
