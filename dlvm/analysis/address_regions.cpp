#include "dlvm/analysis/address_regions.h"

#include <algorithm>
#include <utility>

#include "dlvm/analysis/instructions.h"
#include "dlvm/analysis/pointer_uses.h"
#include "dlvm/analysis/type_parts.h"

namespace dlvm {
namespace {

/// Whether the address is that of an allocation, which always makes as many values, and one at least.
bool has_known_count(const Value& address) {
  const Instruction* made = as_instruction(&address);
  if (made == nullptr || !is_allocation(*made)) return false;
  if (made->opcode() == Opcode::allocateStack)
    return std::get<Shape>(made->attributes()[1])[0].lower_bound().value_or(0) >= 1;
  const Literal* count = made->opcode() == Opcode::allocateHeap ? as_literal(made->operand(0)) : nullptr;
  return made->opcode() == Opcode::allocateBox || (count != nullptr && count->data().integer(0) >= 1);
}

}  // namespace

bool is_allocation(const Instruction& instruction) {
  const Opcode opcode = instruction.opcode();
  return opcode == Opcode::allocateStack || opcode == Opcode::allocateHeap || opcode == Opcode::allocateBox;
}

bool enters(const Instruction& element_pointer) {
  return !std::get<Integers>(element_pointer.attributes()[0]).empty();
}

bool stays(const Value& pointer) {
  return std::ranges::all_of(pointer.users(), [&](const Instruction* user) {
    if (user->opcode() == Opcode::elementPointer) return stays(*user);
    return user->opcode() == Opcode::load ||
           (user->opcode() == Opcode::store && user->operand(0) != &pointer);
  });
}

/// A component whose address goes elsewhere has a number, as the value has of which it is one.
AddressRegions::AddressRegions(const Function& function) : function_(function) {
  add_first();
  for (bool changed = !regions_.empty(); changed;) {
    changed = false;
    for_each_instruction(function_,
                         [&](const Instruction& instruction) { changed = extend(instruction) || changed; });
  }
  remove_joined();
}

/// Makes a region for each type that is no component of another one.
void AddressRegions::add_first() {
  for_each_instruction(function_, [&](Instruction& instruction) {
    if (!is_allocation(instruction)) return;
    const Type& pointee = instruction.type().pointee();
    if (instruction.opcode() == Opcode::allocateHeap) {
      const Literal* count = as_literal(instruction.operand(0));
      if (count == nullptr || count->data().integer(0) != 1) lists_.insert(pointee);
    }
    if (region_of(instruction.type())) return;
    const PointerUses uses = pointer_uses(instruction);
    const bool on_stack = instruction.opcode() == Opcode::allocateStack;
    if (uses.escape != nullptr || !uses.ends.empty() || !on_stack) add(pointee);
    any_part_of(pointee, [&](const Type& part) {
      if (is_address(part)) add(part.pointee());
      return false;
    });
  });
}

std::optional<AddressRegions::Place> AddressRegions::place(const Type& address) const {
  if (!is_address(address)) return std::nullopt;
  const auto found = places_.find(address.pointee());
  return found == places_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<std::size_t> AddressRegions::region_of(const Type& address) const {
  const auto found = place(address);
  return found ? std::optional(found->region) : std::nullopt;
}

std::size_t AddressRegions::add(const Type& pointee) {
  const auto [place, fresh] = places_.try_emplace(pointee, Place{regions_.size(), 0});
  if (fresh) regions_.push_back({{pointee}});
  return place->second.region;
}

/// Puts the pointee into the region, where numbers are those of cells then. Returns whether that is new. The
/// region in which it was has no types any more.
bool AddressRegions::join(std::size_t region, const Type& pointee) {
  const std::size_t other = add(pointee);
  regions_[region].has_cells = true;
  if (other == region) return false;
  for (Type& moved : std::exchange(regions_[other].pointees, {})) {
    places_[moved] = {region, regions_[region].pointees.size()};
    regions_[region].pointees.push_back(std::move(moved));
  }
  return true;
}

void AddressRegions::remove_joined() {
  std::erase_if(regions_, [](const NumberedRegion& region) { return region.pointees.empty(); });
  for (std::size_t r = 0; r < regions_.size(); ++r)
    for (const Type& pointee : regions_[r].pointees) places_.at(pointee).region = r;
}

bool AddressRegions::give_cells(std::size_t region) {
  return !std::exchange(regions_[region].has_cells, true);
}

/// Returns whether a region has become larger, or has got cells.
bool AddressRegions::extend(const Instruction& instruction) {
  switch (instruction.opcode()) {
    case Opcode::elementPointer:
      return extend_by_pointer(instruction);
    case Opcode::allocateHeap:
    case Opcode::allocateStack: {
      const auto r = region_of(instruction.type());
      return r && !has_known_count(instruction) && give_cells(*r);
    }
    case Opcode::copy:
      return extend_by_copy(instruction);
    case Opcode::deallocate: {
      const auto r = region(*instruction.operand(0));
      return r && !has_single_values(*r) && give_cells(*r);
    }
    default:
      return false;
  }
}

/// Both addresses have numbers where one has.
bool AddressRegions::extend_by_copy(const Instruction& copy) {
  const auto from = region(*copy.operand(0)), to = region(*copy.operand(1));
  if (from == to) return from && give_cells(*from);
  const Value* other = from ? copy.operand(1) : copy.operand(0);
  const Instruction* made = as_instruction(other);
  while (made != nullptr && !is_allocation(*made)) {
    if (made->opcode() != Opcode::elementPointer && made->opcode() != Opcode::projectBox) return false;
    made = as_instruction(made->operand(0));
  }
  if (made == nullptr || region_of(made->type())) return false;
  add(made->type().pointee());
  return true;
}

bool AddressRegions::extend_by_pointer(const Instruction& element_pointer) {
  const Value& of = *element_pointer.operand(0);
  const auto r = region(of);
  const bool leaves = enters(element_pointer) && !stays(element_pointer);
  if (!r) {  // a null pointer leads to no allocation
    const Literal* literal = as_literal(&of);
    if (literal == nullptr || literal->global() != nullptr || !leaves) return false;
    add(of.type().pointee());
    return true;
  }
  if (leaves) {
    const bool fresh = give_cells(*r);
    return join(*r, element_pointer.type().pointee()) || fresh;
  }
  return first_value(element_pointer) != nullptr && !has_known_count(of) && give_cells(*r);
}

bool AddressRegions::has_single_values(std::size_t region) const {
  return !regions_[region].has_cells &&
         std::ranges::none_of(regions_[region].pointees,
                              [&](const Type& type) { return lists_.contains(type); });
}

/// Whether the value is a parameter. What it leads to is memory of the caller, which has no numbers.
bool AddressRegions::is_parameter(const Value& value) const {
  const Argument* argument = as_argument(&value);
  return argument != nullptr && argument->block() == &function_.entry();
}

std::optional<std::size_t> AddressRegions::region(const Value& address) const {
  if (is_parameter(address)) return std::nullopt;
  const Instruction* made = as_instruction(&address);
  if (made == nullptr || made->opcode() != Opcode::elementPointer) return region_of(address.type());
  const auto r = region(*made->operand(0));
  return r && (regions_[*r].has_cells || !enters(*made)) ? r : std::nullopt;
}

bool AddressRegions::holds(const Type& type) const {
  const auto [known, fresh] = holds_.try_emplace(type, false);
  if (fresh) known->second = any_part_of(type, [&](const Type& each) { return place(each).has_value(); });
  return known->second;
}

Type AddressRegions::mapped(const Type& type) const {
  if (!holds(type)) return type;
  return with_parts_replaced(type, [&](const Type& part) {
    return place(part) ? std::optional(Type::scalar(number)) : std::nullopt;
  });
}

bool AddressRegions::can_be_mapped(const Type& type) const { return !holds(mapped(type)); }

}  // namespace dlvm
