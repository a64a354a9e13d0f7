#include "dlvm/transform/bounded_allocation.h"

#include <unordered_map>

#include "dlvm/ir/builder.h"
#include "dlvm/transform/address_pool.h"
#include "dlvm/transform/memory_places.h"

namespace dlvm {
namespace {

constexpr ElementType counted = ElementType::i64;

class UsesByCount {
 public:
  UsesByCount(Instruction& allocation, const Extent& capacity) {
    Builder b = builder_before(allocation);
    count_ = as_number(b, allocation.operand(0));
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
    Builder b = builder_before(pointer);
    if (Value* from = first_value(pointer)) {
      place.number = b.add(place.number, as_number(b, from));
      check_number(b, place, Failure::outside_allocation);
    }
    places_[&pointer] = place;
  }

  void check_value(Instruction& access, const Value* pointer) {
    Place place = places_.at(pointer);
    Builder b = builder_before(access);
    if (!place.checked) check_number(b, place, Failure::no_values);
  }

  void check_number(Builder& b, Place& place, Failure failure) {
    Value* low = b.binary(Opcode::greaterThanOrEqual, place.number, b.constant(counted, 0));
    fail_unless(b, b.binary(Opcode::and_, low, b.binary(Opcode::lessThan, place.number, count_)), failure);
    place.checked = true;
  }

  void check_copy(Instruction& copy, std::size_t side) {
    const auto place = places_.find(copy.operand(side));
    if (place == places_.end()) return;  // of another allocation
    Builder b = builder_before(copy);
    Value* left = b.subtract(count_, place->second.number);
    fail_unless(b, b.binary(Opcode::lessThanOrEqual, as_number(b, copy.operand(2)), left),
                Failure::outside_copy);
  }

  Value* count_;
  std::unordered_map<const Value*, Place> places_;
};

}  // namespace

void check_uses_by_count(Instruction& allocation, const Extent& capacity, const PointerUses& uses) {
  UsesByCount(allocation, capacity).check(uses);
}

}  // namespace dlvm
