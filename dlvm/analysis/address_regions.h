// The types of values that addresses lead to which can be numbers: see dlvm/transform/pointer_numbering.h.
#pragma once

#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "dlvm/ir/function.h"
#include "dlvm/ir/type_hash.h"

namespace dlvm {

/// The addresses of values of some types are numbers of one kind.
struct NumberedRegion {
  std::vector<Type> pointees;
  /// A number is that of a cell, which holds one element of a tensor, and not that of a value: addresses of
  /// components are numbers as well, and how many values an address leads to may depend on the run.
  bool has_cells = false;
};

/// Returns whether the instruction makes memory.
bool is_allocation(const Instruction& instruction);
/// Returns whether an elementPointer leads to a component of a value.
bool enters(const Instruction& element_pointer);
/// Returns whether the pointer is used for loads and stores alone, also of components.
bool stays(const Value& pointer);

/// Finds the types of allocations whose addresses are stored, pushed, or passed to blocks, or that end before
/// the function returns, of the components whose addresses are, of what addresses in memory lead to, and of
/// what is on the heap or in boxes.
class AddressRegions {
 public:
  static constexpr ElementType number = ElementType::i64;

  /// Where a type is among those of the regions.
  struct Place {
    std::size_t region = 0, pointee = 0;
  };

  explicit AddressRegions(const Function& function);

  const std::vector<NumberedRegion>& regions() const { return regions_; }
  /// Returns where the type is to which the address leads.
  std::optional<Place> place(const Type& address) const;
  /// Returns the position of the region of what the address points to, where it is a number. A pointer to a
  /// component of a value that has a number itself is none: it is used where it is made alone.
  std::optional<std::size_t> region(const Value& address) const;
  /// Returns whether values of the type hold addresses of the regions, or lead to such.
  bool holds(const Type& type) const;
  /// Returns the type with numbers in the place of such addresses, and tuples in the place of structs that
  /// hold them.
  Type mapped(const Type& type) const;
  /// Returns whether nothing of the type leads to such addresses when they are numbers.
  bool can_be_mapped(const Type& type) const;

 private:
  std::optional<std::size_t> region_of(const Type& address) const;
  void add_first();
  std::size_t add(const Type& pointee);
  bool join(std::size_t region, const Type& pointee);
  bool give_cells(std::size_t region);
  bool extend(const Instruction& instruction);
  bool extend_by_copy(const Instruction& copy);
  bool extend_by_pointer(const Instruction& element_pointer);
  bool has_single_values(std::size_t region) const;
  bool is_parameter(const Value& value) const;
  void remove_joined();

  const Function& function_;
  std::vector<NumberedRegion> regions_;
  std::unordered_map<Type, Place, TypeHash> places_;  ///< by the pointee
  std::unordered_set<Type, TypeHash> lists_;          ///< what heap memory may have several of, or none
  mutable std::unordered_map<Type, bool, TypeHash> holds_;
};

}  // namespace dlvm
