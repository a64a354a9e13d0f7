#include "dlvm/transform/enum_memory.h"

#include <algorithm>

#include "dlvm/analysis/expanded_type.h"
#include "dlvm/analysis/type_parts.h"
#include "dlvm/transform/leaf_values.h"

namespace dlvm {
namespace {

bool is_concerned(const Type& type) { return is_address(type) && holds_enum(type.pointee()); }

/// Whether the instruction uses or gives addresses in a way that leaves open what they point to.
bool is_open(const Instruction& instruction) {
  switch (instruction.opcode()) {
    case Opcode::allocateStack:
    case Opcode::allocateHeap:
    case Opcode::allocateBox:
    case Opcode::elementPointer:
    case Opcode::projectBox:
    case Opcode::copy:
    case Opcode::deallocate:
    case Opcode::retain:
    case Opcode::release:
    case Opcode::branch:
    case Opcode::conditional:
      return std::ranges::any_of(instruction.operands(), [](const Value* operand) {
        return as_literal(operand) != nullptr && is_concerned(operand->type());
      });
    case Opcode::load:
      return is_concerned(instruction.type()) || as_literal(instruction.operand(0)) != nullptr;
    case Opcode::store:
      return is_concerned(instruction.operand(0)->type()) || as_literal(instruction.operand(1)) != nullptr;
    default:
      return true;
  }
}

bool touches(const Instruction& instruction) {
  return is_concerned(instruction.type()) ||
         std::ranges::any_of(instruction.operands(),
                             [](const Value* operand) { return is_concerned(operand->type()); });
}

bool has_open_arguments(const Function& function) {
  const auto concerns = [](const auto& argument) { return is_concerned(argument->type()); };
  if (std::ranges::any_of(function.entry().arguments(), concerns)) return true;
  for (const auto& block : function.blocks())
    if (const Instruction* end = block->terminator(); end != nullptr && end->supplies_arguments())
      for (const Successor& next : end->successors())
        if (std::ranges::any_of(next.block->arguments(), concerns)) return true;
  return false;
}

/// Whether there are addresses besides literals, whose uses are all open.
bool has_addresses(const Function& function) {
  const auto concerns = [](const auto& value) { return is_concerned(value->type()); };
  return std::ranges::any_of(function.blocks(), [&](const auto& block) {
    return std::ranges::any_of(block->arguments(), concerns) ||
           std::ranges::any_of(block->instructions(), concerns);
  });
}

}  // namespace

EnumMemory::EnumMemory(const Function& function) {
  if (!has_addresses(function) || has_open_arguments(function)) return;
  std::vector<Value*> pointers;
  std::unordered_set<const Instruction*> accesses;
  for (const auto& block : function.blocks()) {
    for (const auto& argument : block->arguments())
      if (is_concerned(argument->type())) pointers.push_back(argument.get());
    for (const auto& instruction : block->instructions()) {
      if (!touches(*instruction)) continue;
      if (is_open(*instruction)) return;
      if (is_concerned(instruction->type())) pointers.push_back(instruction.get());
      if (instruction->opcode() == Opcode::load || instruction->opcode() == Opcode::store)
        accesses.insert(instruction.get());
    }
  }
  pointers_ = std::move(pointers);
  accesses_ = std::move(accesses);
}

void EnumMemory::change_types() const {
  for (Value* pointer : pointers_) {
    const Type pointee = flattened(pointer->type().pointee());
    set_type(*pointer, pointer->type().is_box() ? Type::box(pointee) : Type::pointer(pointee));
    if (Instruction* made = as_instruction(pointer))
      for (std::size_t i = 0; i < made->attributes().size(); ++i)
        if (std::holds_alternative<Type>(made->attributes()[i])) made->set_attribute(i, pointee);
  }
}

Type EnumMemory::flattened(const Type& type) {
  if (!holds_enum(type)) return type;
  if (type.is_enumeration()) return Type::tuple(expanded_types(type));
  if (type.kind() == Type::Kind::array)
    return Type::array(static_cast<std::int64_t>(type.component_count()), flattened(type.component(0)));
  std::vector<Type> components;
  for (std::size_t i = 0; i < type.component_count(); ++i) components.push_back(flattened(type.component(i)));
  return Type::tuple(std::move(components));
}

}  // namespace dlvm
