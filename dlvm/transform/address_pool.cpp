#include "dlvm/transform/address_pool.h"

#include <algorithm>

#include "dlvm/transform/counted_loop.h"

namespace dlvm {
namespace {

constexpr ElementType number = AddressRegions::number;

}  // namespace

int change_of_references(const Instruction& instruction) {
  if (instruction.opcode() == Opcode::retain) return 1;
  const bool ends = instruction.opcode() == Opcode::release || instruction.opcode() == Opcode::deallocate;
  return ends ? -1 : 0;
}

void count_reference(Builder& b, Value* more, const Instruction& instruction, Failure ended) {
  constexpr std::int64_t most_references = std::int64_t{1} << 31;
  Value* count = b.create(Opcode::load, {more});
  count->set_name("more_references");
  count = b.check_index(count, 0, most_references, ended);
  if (const int change = change_of_references(instruction); change != 0)
    b.create(Opcode::store, {b.add(count, b.constant(number, change)), more});
}

Failure end_of(const RegionUses& region) {
  bool deallocates = false, releases = false;
  for (const AddressUse& use : region.uses) {
    deallocates = deallocates || use.instruction->opcode() == Opcode::deallocate;
    releases = releases || use.instruction->opcode() == Opcode::release;
  }
  if (deallocates && releases) return Failure::ended;
  return deallocates ? Failure::deallocated : Failure::released;
}

Value* checked_number(Builder& b, Value* number, const Extent& end) {
  return b.check_index(number, 1, end, Failure::null_pointer);
}

bool counts_references(const RegionUses& region) {
  return std::ranges::any_of(
      region.uses, [](const AddressUse& use) { return change_of_references(*use.instruction) != 0; });
}

void replace_by(Instruction& instruction, Value* value) {
  if (value->name().empty() && as_literal(value) == nullptr) value->set_name(instruction.name());
  if (!instruction.users().empty()) replace_all_uses(instruction, *value);
  instruction.block()->erase(&instruction);
}

void fail_unless(Builder& b, Value* condition, Failure failure) {
  Value* fails = b.select(b.constant(number, 0), b.constant(number, 1), condition);
  b.check_index(fails, 0, 1, failure);
}

Value* as_number(Builder& b, Value* integer) {
  return integer->type().is_scalar(number) ? integer : b.cast(integer, number);
}

NumberSequence::NumberSequence(Builder& b, const RegionUses& region, const Size& size) {
  for (const NumberedAllocation* allocation : region.allocations) {
    Numbers numbers{end_, size(*allocation)};
    end_ = end_ + allocation->values * numbers.size;
    if (allocation->repeats) {
      numbers.taken = b.create(Opcode::allocateStack, {}, {Type::scalar(number), Shape{1}});
      numbers.taken->set_name(allocation->instruction->name());
    }
    of_[allocation->instruction] = std::move(numbers);
  }
}

Value* NumberSequence::take(Builder& b, const NumberedAllocation& allocation, Value* count) const {
  const Numbers& numbers = of_.at(allocation.instruction);
  Value* first = number_of(b, numbers.first);
  if (numbers.taken == nullptr) return first;
  Value* taken = b.create(Opcode::load, {numbers.taken});
  Value* next = nullptr;
  if (count == nullptr) {
    taken = b.check_index(taken, 0, allocation.values - allocation.count + 1);
    next = b.add(taken, number_of(b, allocation.count));
  } else {
    Value* one = b.constant(number, 1);
    next = b.check_index(b.add(taken, b.binary(Opcode::max, count, one)), 0, allocation.values + 1);
  }
  b.create(Opcode::store, {next, numbers.taken});
  return b.add(first, b.multiply(taken, number_of(b, numbers.size)));
}

}  // namespace dlvm
