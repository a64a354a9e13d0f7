// Address pools take the place of the memory to which numbered addresses lead: see pointer_numbering.h.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <unordered_map>

#include "dlvm/analysis/numbered_pointers.h"
#include "dlvm/ir/builder.h"
#include "dlvm/ir/module.h"

namespace dlvm {

/// An instruction that goes to a numbered value, when the types of addresses have changed.
struct AddressUse {
  Instruction* instruction = nullptr;
  std::size_t address = 0;  ///< the position of the operand
  Type pointee;             ///< of what is at the address, with numbers in it
  std::size_t region = 0;
  /// The position of the pointee among those of the region; behind them for a component that has none.
  std::size_t in_region = 0;
  const NumberedAllocation* allocation = nullptr;  ///< the one that gave the address, where it is known
};

/// The allocations of a region, and the uses of their addresses in the order of the function.
struct RegionUses {
  std::vector<Type> pointees;  ///< with numbers in them
  std::vector<const NumberedAllocation*> allocations;
  std::vector<AddressUse> uses;
};

/// The memory of one region.
class AddressPool {
 public:
  virtual ~AddressPool() = default;
  /// Returns the number of the first value that the allocation makes.
  virtual Value* first_number(const NumberedAllocation& allocation) = 0;
  /// Replaces an instruction that uses a number. It fails where the number is null, and where the value has
  /// no reference any more.
  virtual void rewrite(const AddressUse& use) = 0;
};

/// Both make memory at the start of the function. The one has a row for each value of the only type of the
/// region, the other a cell for each element of a tensor.
std::unique_ptr<AddressPool> make_row_pool(Function& function, const RegionUses& region);
std::unique_ptr<AddressPool> make_cell_pool(Module& module, Function& function, const RegionUses& region);

/// Returns the number that the instruction adds to the count of references.
int change_of_references(const Instruction& instruction);
/// Changes the count of references, beyond one, to which the pointer leads, if the instruction does. Fails as
/// `ended` says where there is none.
void count_reference(Builder& builder, Value* more, const Instruction& instruction, Failure ended);
/// Returns how values of the region end.
Failure end_of(const RegionUses& region);
/// Returns the number of an address, and fails where it is null. `end` is behind the last number.
Value* checked_number(Builder& builder, Value* number, const Extent& end);
/// Returns whether one of the uses changes a count of references.
bool counts_references(const RegionUses& region);
/// Erases an instruction and gives its uses the value.
void replace_by(Instruction& instruction, Value* value);
/// Fails unless the condition is true.
void fail_unless(Builder& builder, Value* condition, Failure failure);
/// Returns an integer as i64.
Value* as_number(Builder& builder, Value* integer);

/// Gives each allocation numbers of its own, from 1 on: one that is run once begins with a constant, one in a
/// loop behind what it has taken before.
class NumberSequence {
 public:
  using Size = std::function<Extent(const NumberedAllocation&)>;
  /// `size` is how many numbers a value takes.
  NumberSequence(Builder& at_entry, const RegionUses& region, const Size& size);
  /// Returns the number behind the last one.
  const Extent& end() const { return end_; }
  /// Returns the number of the allocation's first value, of as many as the run makes; null stands for the
  /// allocation's count.
  Value* take(Builder& builder, const NumberedAllocation& allocation, Value* count) const;

 private:
  struct Numbers {
    Extent first, size;
    Value* taken = nullptr;  ///< memory of the number of values that were taken
  };
  std::unordered_map<const Instruction*, Numbers> of_;
  Extent end_ = 1;
};

}  // namespace dlvm
