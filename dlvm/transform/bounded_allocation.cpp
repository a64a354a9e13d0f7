#include "dlvm/transform/bounded_allocation.h"

#include <unordered_map>

#include "dlvm/ir/builder.h"

namespace dlvm {
namespace {

constexpr ElementType counted = ElementType::i64;

Builder builder_at(Instruction& instruction) {
  Builder builder(*instruction.block(), &instruction);
  builder.set_locations(instruction.locations());
  return builder;
}

Value* as_counted(Builder& b, Value* integer) {
  return integer->type().element() == counted ? integer : b.cast(integer, counted);
}

class UsesByCount {
 public:
  UsesByCount(Instruction& allocation, const Extent& capacity) : name_(allocation.name()) {
    Builder b = builder_at(allocation);
    count_ = as_counted(b, allocation.operand(0));
    b.check_index(count_, 0, capacity + 1);
    places_[&allocation] = {b.constant(counted, 0), false};
  }

  void check(const PointerUses& uses) {
    for (Instruction* pointer : uses.derived) derive(*pointer);
    for (Instruction* load : uses.loads) check_value(*load, load->operand(0));
    for (Instruction* store : uses.stores) check_value(*store, store->operand(1));
    for (Instruction* copy : uses.copies)
      for (std::size_t side = 0; side < 2; ++side) check_copy(*copy, side);
  }

 private:
  /// The number of the value that a pointer points into, and whether it is known to be one of the values.
  struct Place {
    Value* number;
    bool checked;
  };

  void derive(Instruction& pointer) {
    Place place = places_.at(pointer.operand(0));
    Builder b = builder_at(pointer);
    if (Value* from = first_value(pointer)) {
      place.number = b.add(place.number, as_counted(b, from));
      check_number(b, place);
    }
    places_[&pointer] = place;
  }

  void check_value(Instruction& access, const Value* pointer) {
    Place place = places_.at(pointer);
    Builder b = builder_at(access);
    if (!place.checked) check_number(b, place);
  }

  void check_number(Builder& b, Place& place) {
    Value* low = b.binary(Opcode::greaterThanOrEqual, place.number, b.constant(counted, 0));
    fail_unless(b, b.binary(Opcode::and_, low, b.binary(Opcode::lessThan, place.number, count_)));
    place.checked = true;
  }

  void check_copy(Instruction& copy, std::size_t side) {
    const auto place = places_.find(copy.operand(side));
    if (place == places_.end()) return;  // of another allocation
    Builder b = builder_at(copy);
    Value* left = b.subtract(count_, place->second.number);
    fail_unless(b, b.binary(Opcode::lessThanOrEqual, as_counted(b, copy.operand(2)), left));
  }

  /// The name is what the message of the error shows.
  void fail_unless(Builder& b, Value* condition) {
    Value* outside = b.select(b.constant(counted, 0), b.constant(counted, 1), condition);
    outside->set_name((name_.empty() ? "allocation" : name_) + "_outside");
    b.check_index(outside, 0, 1);
  }

  const std::string name_;
  Value* count_;
  std::unordered_map<const Value*, Place> places_;
};

}  // namespace

void check_uses_by_count(Instruction& allocation, const Extent& capacity, const PointerUses& uses) {
  UsesByCount(allocation, capacity).check(uses);
}

}  // namespace dlvm
