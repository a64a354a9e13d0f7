#include "dlvm/analysis/numbered_pointers.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "dlvm/analysis/allocation_count.h"
#include "dlvm/analysis/pointer_uses.h"
#include "dlvm/analysis/type_parts.h"
#include "dlvm/ir/derived_names.h"
#include "dlvm/ir/instruction_views.h"

namespace dlvm {
namespace {

constexpr std::int64_t most_values = 1 << 16;

bool is_allocation(const Instruction& instruction) {
  const Opcode opcode = instruction.opcode();
  return opcode == Opcode::allocateStack || opcode == Opcode::allocateHeap || opcode == Opcode::allocateBox;
}

bool enters(const Instruction& element_pointer) {
  return !std::get<Integers>(element_pointer.attributes()[0]).empty();
}

/// Whether the pointer is used for loads and stores alone, also of components.
bool stays(const Value& pointer) {
  return std::ranges::all_of(pointer.users(), [&](const Instruction* user) {
    if (user->opcode() == Opcode::elementPointer) return stays(*user);
    return user->opcode() == Opcode::load ||
           (user->opcode() == Opcode::store && user->operand(0) != &pointer);
  });
}

/// Whether a way leads from the block to itself. A cycle with several entries is no loop of the nest.
bool is_in_cycle(const BasicBlock& block) {
  std::unordered_set<const BasicBlock*> known;
  std::vector<const BasicBlock*> open{&block};
  while (!open.empty()) {
    const Instruction* end = open.back()->terminator();
    open.pop_back();
    for (const Successor& next : end->successors()) {
      if (next.block == &block) return true;
      if (known.insert(next.block).second) open.push_back(next.block);
    }
  }
  return false;
}

template <typename Visit>
void for_each_instruction(const Function& function, Visit visit) {
  for (const auto& block : function.blocks())
    for (const auto& instruction : block->instructions()) visit(*instruction);
}

}  // namespace

NumberedPointers::NumberedPointers(const Function& function) : function_(function) {
  for_each_instruction(function, [&](Instruction& instruction) {
    if (!is_allocation(instruction) || region_of(instruction.type())) return;
    const PointerUses uses = pointer_uses(instruction);
    const bool on_stack = instruction.opcode() == Opcode::allocateStack;
    if (uses.escape != nullptr || !uses.ends.empty() || !on_stack) add(instruction.type().pointee());
    any_part_of(instruction.type().pointee(), [&](const Type& part) {
      if (is_address(part)) add(part.pointee());
      return false;
    });
  });
  if (regions_.empty()) return;
  const ControlFlow flow(function_);
  const DominatorTree dominators(flow);
  const LoopNest loops(flow, dominators);
  Bounds bounds(flow, dominators, loops);
  find_regions();
  obstacle_ = obstacle_in_types();
  if (obstacle_.empty()) obstacle_ = obstacle_in_body();
  if (obstacle_.empty()) obstacle_ = find_allocations(bounds);
  if (obstacle_.empty()) return;
  regions_.clear();
  allocations_.clear();
}

std::optional<std::size_t> NumberedPointers::region_of(const Type& address) const {
  if (!is_address(address)) return std::nullopt;
  for (std::size_t r = 0; r < regions_.size(); ++r)
    if (std::ranges::find(regions_[r].pointees, address.pointee()) != regions_[r].pointees.end()) return r;
  return std::nullopt;
}

std::size_t NumberedPointers::add(const Type& pointee) {
  if (const auto known = region_of(Type::pointer(pointee))) return *known;
  regions_.push_back({{pointee}});
  return regions_.size() - 1;
}

/// Puts the pointee into the region, where numbers are those of cells then. Returns whether that is new.
bool NumberedPointers::join(std::size_t region, const Type& pointee) {
  const std::size_t other = add(pointee);
  regions_[region].has_cells = true;
  if (other == region) return false;
  const std::vector<Type> moved = regions_[other].pointees;
  regions_[region].pointees.insert(regions_[region].pointees.end(), moved.begin(), moved.end());
  regions_.erase(regions_.begin() + static_cast<std::ptrdiff_t>(other));
  return true;
}

bool NumberedPointers::give_cells(std::size_t region) {
  return !std::exchange(regions_[region].has_cells, true);
}

/// A component whose address goes elsewhere has a number, as the value has of which it is one.
void NumberedPointers::find_regions() {
  for (bool changed = true; changed;) {
    changed = false;
    for_each_instruction(function_,
                         [&](const Instruction& instruction) { changed = extend(instruction) || changed; });
  }
}

/// Returns whether a region has become larger, or has got cells.
bool NumberedPointers::extend(const Instruction& instruction) {
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
bool NumberedPointers::extend_by_copy(const Instruction& copy) {
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

bool NumberedPointers::extend_by_pointer(const Instruction& element_pointer) {
  const Value& of = *element_pointer.operand(0);
  const auto r = region(of);
  if (!r) return false;
  if (enters(element_pointer) && !stays(element_pointer)) {
    const bool fresh = give_cells(*r);
    return join(*r, element_pointer.type().pointee()) || fresh;
  }
  return first_value(element_pointer) != nullptr && !has_known_count(of) && give_cells(*r);
}

/// Whether the address is that of an allocation, which always makes as many values, and one at least.
bool NumberedPointers::has_known_count(const Value& address) {
  const Instruction* made = as_instruction(&address);
  if (made == nullptr || !is_allocation(*made)) return false;
  if (made->opcode() == Opcode::allocateStack)
    return std::get<Shape>(made->attributes()[1])[0].lower_bound().value_or(0) >= 1;
  const Literal* count = made->opcode() == Opcode::allocateHeap ? as_literal(made->operand(0)) : nullptr;
  return made->opcode() == Opcode::allocateBox || (count != nullptr && count->data().integer(0) >= 1);
}

bool NumberedPointers::has_single_values(std::size_t region) const {
  bool single = true;
  for_each_instruction(function_, [&](const Instruction& instruction) {
    if (instruction.opcode() != Opcode::allocateHeap || region_of(instruction.type()) != region) return;
    const Literal* count = as_literal(instruction.operand(0));
    single = single && count != nullptr && count->data().integer(0) == 1;
  });
  return single;
}

/// Whether the value is a parameter. What it leads to is memory of the caller, which has no numbers.
bool NumberedPointers::is_parameter(const Value& value) const {
  const Argument* argument = as_argument(&value);
  return argument != nullptr && argument->block() == &function_.entry();
}

std::optional<std::size_t> NumberedPointers::region(const Value& address) const {
  if (is_parameter(address)) return std::nullopt;
  const Instruction* made = as_instruction(&address);
  if (made == nullptr || made->opcode() != Opcode::elementPointer) return region_of(address.type());
  const auto r = region(*made->operand(0));
  return r && (regions_[*r].has_cells || !enters(*made)) ? r : std::nullopt;
}

/// Whether values of the type hold numbered addresses, or lead to such.
bool NumberedPointers::holds(const Type& type) const {
  return any_part_of(type, [&](const Type& each) { return region_of(each).has_value(); });
}

Type NumberedPointers::mapped(const Type& type) const {
  return with_parts_replaced(type, [&](const Type& part) {
    return region_of(part) ? std::optional(Type::scalar(number)) : std::nullopt;
  });
}

bool NumberedPointers::can_be_mapped(const Type& type) const { return !holds(mapped(type)); }

std::string NumberedPointers::obstacle_in_types() const {
  for (const NumberedRegion& region : regions_)
    for (const Type& pointee : region.pointees)
      if (!is_made_of_tensors(mapped(pointee)))
        return fmt::format("such an address leads to values of type {}", pointee.text());
  return "";
}

std::string NumberedPointers::obstacle_in_body() const {
  for (const auto& block : function_.blocks()) {
    const bool entry = block.get() == &function_.entry();
    for (const auto& argument : block->arguments())
      if (holds(argument->type()) && (entry ? !is_plain(*argument) : !can_be_mapped(argument->type())))
        return fmt::format("{} gives an address of type {}", entry ? "the caller" : "a branch",
                           argument->type().text());
    for (const auto& instruction : block->instructions())
      if (std::string found = obstacle_in(*instruction); !found.empty()) return found;
  }
  return "";
}

/// Whether the parameter leads to a value without addresses, and is used for loads and stores alone.
bool NumberedPointers::is_plain(const Argument& parameter) const {
  return parameter.type().is_pointer() && !holds(parameter.type().pointee()) && stays(parameter);
}

std::string NumberedPointers::obstacle_in(const Instruction& instruction) const {
  std::optional<Type> concerned;
  if (holds(instruction.type()) || region(instruction)) concerned = instruction.type();
  bool can_be = can_be_mapped(instruction.type());
  for (const Value* operand : instruction.operands()) {
    if (!holds(operand->type())) continue;
    concerned = operand->type();
    const Literal* literal = as_literal(operand);
    if (literal != nullptr && literal->global() != nullptr)
      return fmt::format("the variable @{} has an address of type {}", literal->global()->name,
                         operand->type().text());
    can_be = can_be && can_be_mapped(operand->type());
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
bool NumberedPointers::takes_numbers(const Instruction& instruction) const {
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
      return region(*instruction.operand(0)) == region(*instruction.operand(1));
    case Opcode::deallocate:
      return !region(*instruction.operand(0)) || is_always_on_heap(instruction.operand(0)->type().pointee());
    default:
      return false;
  }
}

/// Whether all values of the type were allocated to be deallocated.
bool NumberedPointers::is_always_on_heap(const Type& pointee) const {
  bool good = true;
  for_each_instruction(function_, [&](const Instruction& instruction) {
    if (is_allocation(instruction) && instruction.type().pointee() == pointee)
      good = good && instruction.opcode() == Opcode::allocateHeap;
  });
  return good;
}

/// Returns the obstacle; empty where there is none.
std::string NumberedPointers::find_allocations(Bounds& bounds) {
  std::string too_many = fmt::format("there may be more than {} values", most_values);
  const Extent unknown = Extent::dimension(name_after(function_, "values"));
  std::int64_t all = 0;
  for (const auto& block : function_.blocks())
    for (const auto& instruction : block->instructions()) {
      const auto r = region_of(instruction->type());
      if (!is_allocation(*instruction) || !r) continue;
      const auto count = allocation_count(*instruction, bounds);
      if (!count) return "there are less values than none";
      if (count->most.constant().value_or(0) > most_values) return too_many;
      const bool repeats = is_in_cycle(*block);
      const auto runs = repeats ? bounds.most_runs(*block) : std::optional(Extent(1));
      // Where there may be none, an address of its own takes a number.
      const bool is_open = count->most == unknown;
      const bool is_exact = count->exact && count->most.lower_bound().value_or(0) >= 1;
      const Extent each = is_exact || is_open ? count->most : count->most + Extent(1);
      Extent values = each * runs.value_or(is_open ? Extent(1) : unknown);
      if (!values.valid()) values = unknown;
      if (const auto constant = values.constant())
        if (*constant > most_values || (all += *constant) > most_values) return too_many;
      const auto& types = regions_[*r].pointees;
      const auto at = std::ranges::find(types, instruction->type().pointee()) - types.begin();
      allocations_.push_back(
          {instruction.get(), *r, static_cast<std::size_t>(at), count->most, is_exact, values, repeats});
    }
  return "";
}

}  // namespace dlvm
