// Where uses need it, a number holds that of a cell and that of the first cell of its allocation, with which
// tables say how many values the allocation has, of what type, and how many references there are to it. So
// an allocation writes one entry of each.
#include <algorithm>

#include "dlvm/analysis/pointer_uses.h"
#include "dlvm/transform/address_pool.h"
#include "dlvm/transform/cell_memory.h"
#include "dlvm/transform/counted_loop.h"
#include "dlvm/transform/memory_places.h"

namespace dlvm {
namespace {

constexpr ElementType number = AddressRegions::number;

/// Where an address leads.
struct Target {
  Value* number = nullptr;
  Value *cell = nullptr,
        *first = nullptr;  ///< `first` is that of the allocation, null where there are no tables
};

class CellPool : public AddressPool {
 public:
  CellPool(Module& module, Function& function, const RegionUses& region)
      : CellPool(module, Builder(function.entry(), function.entry().instructions().front().get()), region) {}

  Value* first_number(const NumberedAllocation& allocation) override {
    Builder b = builder_before(*allocation.instruction);
    Value* count = nullptr;
    if (!allocation.is_exact) {
      const bool is_given = allocation.instruction->opcode() == Opcode::allocateHeap;
      count = is_given ? as_number(b, allocation.instruction->operand(0)) : number_of(b, allocation.count);
      count = b.check_index(count, 0, allocation.count + 1);
    }
    Value* first = sequence_.take(b, allocation, count);
    if (counts_ != nullptr) set(b, counts_, first, count == nullptr ? number_of(b, allocation.count) : count);
    if (types_ != nullptr)
      set(b, types_, first, b.constant(number, static_cast<double>(allocation.place.pointee)));
    return has_tables() ? number_at(b, first, first) : first;
  }

  void rewrite(const AddressUse& use) override {
    Instruction& instruction = *use.instruction;
    Builder b = builder_before(instruction);
    const Target at = checked(b, use, use.address);
    switch (instruction.opcode()) {
      case Opcode::load:
        check_value(b, at);
        return replace_by(instruction, memory_.load(b, use.pointee, at.cell));
      case Opcode::store:
        check_value(b, at);
        memory_.store(b, instruction.operand(0), at.cell);
        return instruction.block()->erase(&instruction);
      case Opcode::elementPointer:
        return replace_by(instruction, pointer(b, use, at));
      case Opcode::copy:
        copy(b, use, at);
        return instruction.block()->erase(&instruction);
      case Opcode::deallocate:
        check_first(b, use, at);
        return instruction.block()->erase(&instruction);
      default:
        return replace_by(instruction, at.number);
    }
  }

 private:
  CellPool(Module& module, Builder b, const RegionUses& region)
      : sequence_(b, region,
                  [&](const NumberedAllocation& each) {
                    return CellMemory::step(region.pointees[each.place.pointee]);
                  }),
        memory_(module, b, region.pointees, sequence_.end()),
        pointees_(region.pointees),
        ended_(end_of(region)),
        may_be_empty_(
            std::ranges::any_of(region.allocations, [](const auto* each) { return !each->is_exact; })) {
    if (may_be_empty_ || std::ranges::any_of(region.uses, needs_counts)) {
      counts_ = table(b, "counts");
      if (pointees_.size() > 1) types_ = table(b, "types");
    }
    if (counts_references(region)) more_ = table(b, "references");
  }

  Value* table(Builder& b, const std::string& name) const {
    Value* made = b.create(Opcode::allocateStack, {}, {Type::tensor(number, {sequence_.end()}), Shape{1}});
    made->set_name(name);
    return made;
  }
  bool has_tables() const { return counts_ != nullptr || more_ != nullptr; }

  static bool needs_counts(const AddressUse& use) {
    const Opcode opcode = use.instruction->opcode();
    const bool moves = opcode == Opcode::elementPointer && first_value(*use.instruction) != nullptr;
    return moves || opcode == Opcode::copy || opcode == Opcode::deallocate;
  }

  /// The number of a cell in the allocation that has this first cell.
  Value* number_at(Builder& b, Value* first, Value* cell) const {
    return b.add(b.multiply(first, number_of(b, sequence_.end())), cell);
  }

  static Value* load(Builder& b, Value* table, Value* at) {
    return b.create(Opcode::load, {cell_pointer(b, table, at)});
  }
  static void set(Builder& b, Value* table, Value* at, Value* value) {
    b.create(Opcode::store, {value, cell_pointer(b, table, at)});
  }

  /// Fails where the number is null, and where the value has no reference any more.
  Target checked(Builder& b, const AddressUse& use, std::size_t address) const {
    Value* given = use.instruction->operand(address);
    if (!has_tables()) {
      Value* cell = checked_number(b, given, sequence_.end());
      return {cell, cell, nullptr};
    }
    Value* end = number_of(b, sequence_.end());
    Value* first = b.binary(Opcode::floorDivide, given, end);
    Value* cell = checked_number(b, b.subtract(given, b.multiply(first, end)), sequence_.end());
    if (more_ != nullptr) count_reference(b, cell_pointer(b, more_, first), *use.instruction, ended_);
    return {given, cell, first};
  }

  /// Fails where the allocation has no values.
  void check_value(Builder& b, const Target& at) const {
    if (!may_be_empty_) return;
    Value* some = b.binary(Opcode::greaterThan, load(b, counts_, at.first), b.constant(number, 0));
    fail_unless(b, some, Failure::no_values);
  }

  /// Returns `of_value` where the address is that of a value of the allocation, and `of_component` where it
  /// is that of a part of one.
  Value* choose(Builder& b, const AddressUse& use, const Target& at, Value* of_value,
                Value* of_component) const {
    if (use.in_region >= pointees_.size()) return of_component;
    if (types_ == nullptr) return of_value;
    Value* own = b.constant(number, static_cast<double>(use.in_region));
    return b.select(of_value, of_component, b.binary(Opcode::equal, load(b, types_, at.first), own));
  }

  /// Fails unless the number is that of an allocation.
  void check_first(Builder& b, const AddressUse& use, const Target& at) const {
    Value* is_first = b.binary(Opcode::equal, at.cell, at.first);
    fail_unless(b, choose(b, use, at, is_first, b.constant(ElementType::boolean, 0)), Failure::not_allocated);
  }

  /// The number of values before there, in the allocation.
  Value* before(Builder& b, const AddressUse& use, const Target& at) const {
    Value* zero = b.constant(number, 0);
    if (counts_ == nullptr) return zero;
    Value* step = number_of(b, CellMemory::step(use.pointee));
    return choose(b, use, at, b.binary(Opcode::floorDivide, b.subtract(at.cell, at.first), step), zero);
  }

  /// The number of values from there on.
  Value* length(Builder& b, const AddressUse& use, const Target& at) const {
    Value* one = b.constant(number, 1);
    if (counts_ == nullptr) return one;
    Value* count = load(b, counts_, at.first);
    Value* of_component = may_be_empty_ ? b.binary(Opcode::min, count, one) : one;
    return choose(b, use, at, b.subtract(count, before(b, use, at)), of_component);
  }

  Value* pointer(Builder& b, const AddressUse& use, const Target& target) const {
    const Instruction& instruction = *use.instruction;
    Value* at = target.number;
    if (Value* from = first_value(instruction)) {
      from = as_number(b, from);
      check_move(b, use, target, from);
      at = b.add(at, b.multiply(from, number_of(b, CellMemory::step(use.pointee))));
    }
    Type type = use.pointee;
    Extent by = 0;
    for (const PathStep& step : path_steps(instruction, use.pointee)) {
      if (step.value == nullptr) {
        by = by + offset(type, step.at);
      } else {
        Value* position = as_number(b, b.check_index(step.value, 0, step.count));
        at = b.add(at, b.multiply(position, number_of(b, CellMemory::size(*component_type(type, -1)))));
      }
      type = *component_type(type, step.value == nullptr ? step.at : -1);
    }
    return cell_behind(b, at, by);
  }

  void check_move(Builder& b, const AddressUse& use, const Target& at, Value* by) const {
    Value* low = b.binary(Opcode::greaterThanOrEqual, by, b.negate(before(b, use, at)));
    Value* high = b.binary(Opcode::lessThan, by, length(b, use, at));
    fail_unless(b, b.binary(Opcode::and_, low, high), Failure::outside_allocation);
  }

  /// The cells before a component.
  static Extent offset(const Type& type, std::int64_t position) {
    if (type.is_tensor() || type.kind() == Type::Kind::array)
      return CellMemory::size(*component_type(type, position)) * Extent(position);
    Extent all = 0;
    for (std::int64_t i = 0; i < position; ++i) all = all + CellMemory::size(*component_type(type, i));
    return all;
  }

  void copy(Builder& b, const AddressUse& use, const Target& from) const {
    const Target to = checked(b, use, 1);
    Value* count = as_number(b, use.instruction->operand(2));
    Value* least = b.binary(Opcode::min, length(b, use, from), length(b, use, to));
    Value* fits = b.binary(Opcode::and_, b.binary(Opcode::lessThanOrEqual, count, least),
                           b.binary(Opcode::greaterThanOrEqual, count, b.constant(number, 0)));
    fail_unless(b, fits, Failure::outside_copy);
    memory_.copy(b, use.pointee, from.cell, to.cell, count);
  }

  const NumberSequence sequence_;
  const CellMemory memory_;
  const std::vector<Type> pointees_;
  const Failure ended_;
  const bool may_be_empty_;  ///< an allocation may have no values
  /// The tables, at the first cell of an allocation: of how many values, at which position of `pointees_`
  /// their type is, and how many references there are beyond one.
  Value *counts_ = nullptr, *types_ = nullptr, *more_ = nullptr;
};

}  // namespace

std::unique_ptr<AddressPool> make_cell_pool(Module& module, Function& function, const RegionUses& region) {
  return std::make_unique<CellPool>(module, function, region);
}

}  // namespace dlvm
