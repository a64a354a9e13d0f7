// The pointers and boxes of a function that can be numbers: see dlvm/transform/pointer_numbering.h.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "dlvm/ir/function.h"

namespace dlvm {

class Bounds;

/// The addresses of values of some types are numbers of one kind.
struct NumberedRegion {
  std::vector<Type> pointees;
  /// A number is that of a cell, which holds one element of a tensor, and not that of a value: addresses of
  /// components are numbers as well, and how many values an address leads to may depend on the run.
  bool has_cells = false;
};

/// An allocation whose address is a number.
struct NumberedAllocation {
  Instruction* instruction = nullptr;
  std::size_t region = 0, pointee = 0;  ///< positions of the region, and of the type in it
  Extent count = 1;                     ///< of values, at most
  bool is_exact = true;                 ///< it always makes so many, and one at least
  Extent values = 1;                    ///< that all its runs in a call of the function make, at most
  bool repeats = false;                 ///< it is in a loop
};

/// Finds the types of allocations whose addresses are stored, pushed, or passed to blocks, or that end before
/// the function returns, of the components whose addresses are, of what addresses in memory lead to, and of
/// what is on the heap or in boxes.
class NumberedPointers {
 public:
  static constexpr ElementType number = ElementType::i64;

  /// There are no regions where the function does something with such addresses that numbers cannot do, or
  /// where there may be too many values.
  explicit NumberedPointers(const Function& function);

  bool empty() const { return regions_.empty(); }
  /// Says why there are no regions although addresses go such ways, in words that follow "while": "an address
  /// of type *f32 is passed to @f". Empty where no addresses do.
  const std::string& obstacle() const { return obstacle_; }
  const std::vector<NumberedRegion>& regions() const { return regions_; }
  const std::vector<NumberedAllocation>& allocations() const { return allocations_; }
  /// Returns the position of the region of what the address points to, where it is a number. A pointer to a
  /// component of a value that has a number itself is none: it is used where it is made alone.
  std::optional<std::size_t> region(const Value& address) const;
  /// Returns the type with numbers in the place of such addresses, and tuples in the place of structs that
  /// hold them.
  Type mapped(const Type& type) const;

 private:
  std::optional<std::size_t> region_of(const Type& address) const;
  std::size_t add(const Type& pointee);
  bool join(std::size_t region, const Type& pointee);
  bool give_cells(std::size_t region);
  void find_regions();
  bool extend(const Instruction& instruction);
  bool extend_by_copy(const Instruction& copy);
  bool extend_by_pointer(const Instruction& element_pointer);
  static bool has_known_count(const Value& address);
  bool has_single_values(std::size_t region) const;
  bool holds(const Type& type) const;
  bool can_be_mapped(const Type& type) const;
  bool is_parameter(const Value& value) const;
  bool is_plain(const Argument& parameter) const;
  std::string obstacle_in_types() const;
  std::string obstacle_in_body() const;
  std::string obstacle_in(const Instruction& instruction) const;
  bool takes_numbers(const Instruction& instruction) const;
  bool is_always_on_heap(const Type& pointee) const;
  std::string find_allocations(Bounds& bounds);

  const Function& function_;
  std::vector<NumberedRegion> regions_;
  std::vector<NumberedAllocation> allocations_;
  std::string obstacle_;
};

}  // namespace dlvm
