#include "dlvm/analysis/address_obstacles.h"

#include <fmt/format.h>

#include <unordered_set>

#include "dlvm/analysis/instructions.h"
#include "dlvm/analysis/type_parts.h"
#include "dlvm/ir/instruction_views.h"
#include "dlvm/ir/module.h"

namespace dlvm {
namespace {

class Obstacles {
 public:
  Obstacles(const Function& function, const AddressRegions& regions)
      : function_(function), regions_(regions) {
    for_each_instruction(function, [&](const Instruction& instruction) {
      if (is_allocation(instruction) && instruction.opcode() != Opcode::allocateHeap)
        elsewhere_.insert(instruction.type().pointee());
    });
  }

  std::string find() const {
    std::string found = in_types();
    return found.empty() ? in_body() : found;
  }

 private:
  std::string in_types() const;
  std::string in_body() const;
  std::string in(const Instruction& instruction) const;
  bool is_plain(const Argument& parameter) const;
  bool takes_numbers(const Instruction& instruction) const;

  const Function& function_;
  const AddressRegions& regions_;
  std::unordered_set<Type, TypeHash> elsewhere_;  ///< of which there are values that are not on the heap
};

std::string Obstacles::in_types() const {
  for (const NumberedRegion& region : regions_.regions())
    for (const Type& pointee : region.pointees)
      if (!is_made_of_tensors(regions_.mapped(pointee)))
        return fmt::format("such an address leads to values of type {}", pointee.text());
  return "";
}

std::string Obstacles::in_body() const {
  for (const auto& block : function_.blocks()) {
    const bool entry = block.get() == &function_.entry();
    for (const auto& argument : block->arguments())
      if (regions_.holds(argument->type()) &&
          (entry ? !is_plain(*argument) : !regions_.can_be_mapped(argument->type())))
        return fmt::format("{} gives an address of type {}", entry ? "the caller" : "a branch",
                           argument->type().text());
    for (const auto& instruction : block->instructions())
      if (std::string found = in(*instruction); !found.empty()) return found;
  }
  return "";
}

/// Whether the parameter leads to a value without addresses, and is used for loads and stores alone.
bool Obstacles::is_plain(const Argument& parameter) const {
  return parameter.type().is_pointer() && !regions_.holds(parameter.type().pointee()) && stays(parameter);
}

std::string Obstacles::in(const Instruction& instruction) const {
  std::optional<Type> concerned;
  if (regions_.holds(instruction.type()) || regions_.region(instruction)) concerned = instruction.type();
  bool can_be = regions_.can_be_mapped(instruction.type());
  for (const Value* operand : instruction.operands()) {
    if (!regions_.holds(operand->type())) continue;
    concerned = operand->type();
    const Literal* literal = as_literal(operand);
    if (literal != nullptr && literal->global() != nullptr)
      return fmt::format("the variable @{} has an address of type {}", literal->global()->name,
                         operand->type().text());
    can_be = can_be && regions_.can_be_mapped(operand->type());
  }
  if (!concerned || (can_be && takes_numbers(instruction))) return "";
  if (const auto call = as<Apply>(instruction))
    return fmt::format("@{} takes or gives an address of type {}", call.callee()->name(), concerned->text());
  if (instruction.opcode() == Opcode::return_)
    return fmt::format("an address of type {} is returned", concerned->text());
  return fmt::format("{} takes or gives an address of type {}", instruction.definition().name,
                     concerned->text());
}

/// Whether numbers can stand in the place of the addresses that the instruction takes and gives.
bool Obstacles::takes_numbers(const Instruction& instruction) const {
  switch (instruction.opcode()) {
    case Opcode::allocateStack:
    case Opcode::allocateHeap:
    case Opcode::allocateBox:
    case Opcode::elementPointer:
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
      return regions_.region(*instruction.operand(0)) == regions_.region(*instruction.operand(1));
    case Opcode::deallocate:
      return !regions_.region(*instruction.operand(0)) ||
             !elsewhere_.contains(instruction.operand(0)->type().pointee());
    default:
      return false;
  }
}

}  // namespace

std::string obstacle_to_numbers(const Function& function, const AddressRegions& regions) {
  return Obstacles(function, regions).find();
}

}  // namespace dlvm
