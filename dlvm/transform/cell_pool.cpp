// Beside the cells there are tables with a number for each cell, of which a region has those that its uses
// need: for each type the values from the cell on, and before it, that were allocated together, if it is the
// first cell of such a value; and the first cell of the allocation of which the cell is, where the count of
// references stands.
#include <algorithm>
#include <optional>

#include "dlvm/analysis/pointer_uses.h"
#include "dlvm/transform/address_pool.h"
#include "dlvm/transform/cell_memory.h"
#include "dlvm/transform/counted_loop.h"
#include "dlvm/transform/memory_places.h"

namespace dlvm {
namespace {

constexpr ElementType number = NumberedPointers::number;

/// Where values of one type begin. From the cell on there are `ahead` values, of which 0 stands for one, a
/// component, and -1 for none.
struct Runs {
  Value *ahead = nullptr, *before = nullptr;
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
    Value* at = sequence_.take(b, allocation, count);
    fill_tables(b, allocation, at, count == nullptr ? number_of(b, allocation.count) : count);
    return at;
  }

  void rewrite(const AddressUse& use) override {
    Instruction& instruction = *use.instruction;
    Builder b = builder_before(instruction);
    Value* at = checked(b, use, use.address);
    switch (instruction.opcode()) {
      case Opcode::load:
        check_value(b, use, at);
        return replace_by(instruction, memory_.load(b, use.pointee, at));
      case Opcode::store:
        check_value(b, use, at);
        memory_.store(b, instruction.operand(0), at);
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
        return replace_by(instruction, at);
    }
  }

 private:
  CellPool(Module& module, Builder b, const RegionUses& region)
      : sequence_(
            b, region,
            [&](const NumberedAllocation& each) { return CellMemory::size(region.pointees[each.pointee]); }),
        memory_(module, b, region.pointees, sequence_.end()),
        pointees_(region.pointees),
        runs_(region.pointees.size()) {
    for (const AddressUse& use : region.uses)
      if (use.in_region < runs_.size() && needs_runs(use)) make_runs(b, use.in_region);
    for (const NumberedAllocation* allocation : region.allocations)
      if (!allocation->is_exact) make_runs(b, allocation->pointee);
    if (!counts_references(region)) return;
    owners_ = table(b, "owners");
    more_ = table(b, "references");
  }

  Value* table(Builder& b, const std::string& name) const {
    Value* made = b.create(Opcode::allocateStack, {}, {Type::tensor(number, {sequence_.end()}), Shape{1}});
    made->set_name(name);
    return made;
  }

  static bool needs_runs(const AddressUse& use) {
    const Opcode opcode = use.instruction->opcode();
    const bool moves = opcode == Opcode::elementPointer && first_value(*use.instruction) != nullptr;
    return moves || opcode == Opcode::copy || opcode == Opcode::deallocate;
  }

  void make_runs(Builder& b, std::size_t pointee) {
    if (runs_[pointee].ahead != nullptr) return;
    runs_[pointee] = {table(b, "values_ahead"), table(b, "values_before")};
  }

  void fill_tables(Builder& b, const NumberedAllocation& allocation, Value* at, Value* count) const {
    const Runs& runs = runs_[allocation.pointee];
    if (runs.ahead == nullptr && owners_ == nullptr) return;
    Value* size = number_of(b, CellMemory::size(pointees_[allocation.pointee]));
    Value* distance = distances(b, sequence_.end(), at);
    Value *zero = b.constant(number, 0), *one = b.constant(number, 1);
    Value* cells = b.multiply(count, size);
    Value* inside = is_among(b, distance, cells);
    if (owners_ != nullptr) set(b, owners_, at, is_among(b, distance, b.binary(Opcode::max, cells, one)));
    if (runs.ahead == nullptr) return;
    Value* position = b.binary(Opcode::floorDivide, distance, b.binary(Opcode::max, size, one));
    Value* begins = b.binary(Opcode::equal, distance, b.multiply(position, size));
    Value* is_first = b.binary(Opcode::and_, inside, begins);
    set(b, runs.ahead, b.subtract(count, position), is_first);
    set(b, runs.before, position, is_first);
    if (allocation.is_exact) return;
    Value* none =
        b.binary(Opcode::and_, b.binary(Opcode::equal, distance, zero), b.binary(Opcode::equal, count, zero));
    set(b, runs.ahead, b.constant(number, -1), none);
  }

  static void set(Builder& b, Value* table, Value* value, Value* where) {
    b.create(Opcode::store, {b.select(value, b.create(Opcode::load, {table}), where), table});
  }
  static Value* entry_of(Builder& b, Value* table, Value* at) {
    return b.create(Opcode::elementPointer, {table, at}, {Integers{position_of_value}});
  }
  static Value* load(Builder& b, Value* table, Value* at) {
    return b.create(Opcode::load, {entry_of(b, table, at)});
  }

  /// Fails where the number is null, and where the value has no reference any more.
  Value* checked(Builder& b, const AddressUse& use, std::size_t address) const {
    Value* at = b.check_index(use.instruction->operand(address), 1, sequence_.end());
    if (more_ != nullptr) count_reference(b, entry_of(b, more_, load(b, owners_, at)), *use.instruction);
    return at;
  }

  const Runs* runs_at(const AddressUse& use) const {
    const bool known = use.in_region < runs_.size() && runs_[use.in_region].ahead != nullptr;
    return known ? &runs_[use.in_region] : nullptr;
  }

  /// Fails where the allocation has no values.
  void check_value(Builder& b, const AddressUse& use, Value* at) const {
    if (const Runs* runs = runs_at(use); runs != nullptr)
      b.check_index(load(b, runs->ahead, at), 0, sequence_.end());
  }

  /// Fails unless the number is that of an allocation.
  void check_first(Builder& b, const AddressUse& use, Value* at) const {
    const Runs* runs = runs_at(use);
    Value* zero = b.constant(number, 0);
    Value* begins = b.binary(Opcode::notEqual, load(b, runs->ahead, at), zero);
    Value* is_first = b.binary(Opcode::equal, load(b, runs->before, at), zero);
    fail_unless(b, b.binary(Opcode::and_, begins, is_first), "allocation_outside");
  }

  /// The number of values from there on.
  Value* length(Builder& b, const AddressUse& use, Value* at) const {
    const Runs* runs = runs_at(use);
    Value *zero = b.constant(number, 0), *one = b.constant(number, 1);
    if (runs == nullptr) return one;
    Value* ahead = load(b, runs->ahead, at);
    return b.select(one, b.binary(Opcode::max, ahead, zero), b.binary(Opcode::equal, ahead, zero));
  }

  Value* pointer(Builder& b, const AddressUse& use, Value* at) const {
    const Instruction& instruction = *use.instruction;
    if (Value* from = first_value(instruction)) {
      from = as_number(b, from);
      Value* size = number_of(b, CellMemory::size(use.pointee));
      check_move(b, use, at, from);
      at = b.add(at, b.multiply(from, size));
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

  void check_move(Builder& b, const AddressUse& use, Value* at, Value* by) const {
    const Runs* runs = runs_at(use);
    Value* before = runs == nullptr ? b.constant(number, 0) : load(b, runs->before, at);
    Value* low = b.binary(Opcode::greaterThanOrEqual, by, b.negate(before));
    Value* high = b.binary(Opcode::lessThan, by, length(b, use, at));
    fail_unless(b, b.binary(Opcode::and_, low, high), "allocation_outside");
  }

  /// The cells before a component.
  static Extent offset(const Type& type, std::int64_t position) {
    if (type.is_tensor() || type.kind() == Type::Kind::array)
      return CellMemory::size(*component_type(type, position)) * Extent(position);
    Extent all = 0;
    for (std::int64_t i = 0; i < position; ++i) all = all + CellMemory::size(*component_type(type, i));
    return all;
  }

  void copy(Builder& b, const AddressUse& use, Value* from) const {
    Value* to = checked(b, use, 1);
    Value* count = as_number(b, use.instruction->operand(2));
    Value* least = b.binary(Opcode::min, length(b, use, from), length(b, use, to));
    Value* fits = b.binary(Opcode::and_, b.binary(Opcode::lessThanOrEqual, count, least),
                           b.binary(Opcode::greaterThanOrEqual, count, b.constant(number, 0)));
    fail_unless(b, fits, "copy_outside");
    memory_.copy(b, use.pointee, from, to, count);
  }

  const NumberSequence sequence_;
  const CellMemory memory_;
  const std::vector<Type> pointees_;
  std::vector<Runs> runs_;  ///< of each pointee
  Value *owners_ = nullptr, *more_ = nullptr;
};

}  // namespace

std::unique_ptr<AddressPool> make_cell_pool(Module& module, Function& function, const RegionUses& region) {
  return std::make_unique<CellPool>(module, function, region);
}

}  // namespace dlvm
