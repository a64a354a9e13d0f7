// The pointers and boxes of a function that can be numbers of values in a pool: see pointer_numbering.h.
#pragma once

#include <optional>
#include <vector>

#include "dlvm/ir/function.h"

namespace dlvm {

/// The types of the values to which pointers and boxes are numbers.
class NumberedPointers {
 public:
  static constexpr ElementType number = ElementType::i64;

  /// One allocation of numbered values.
  struct Allocation {
    Instruction* instruction = nullptr;
    std::size_t pool = 0;
    std::int64_t count = 1;  ///< of values
    std::int64_t runs = 1;   ///< at most so often in a call of the function
    bool repeats = false;    ///< it is in a loop
  };

  /// Finds the types of allocations whose addresses are stored, pushed, or passed to blocks, or that end
  /// before the function returns. There are none where the function does something with such addresses that
  /// numbers cannot do, or where there may be too many values.
  explicit NumberedPointers(const Function& function);

  bool empty() const { return pointees_.empty(); }
  const std::vector<Type>& pointees() const { return pointees_; }
  const std::vector<Allocation>& allocations() const { return allocations_; }
  /// Returns the position of the pool of what the address points to, where it is a number.
  std::optional<std::size_t> pool(const Value& address) const;
  /// Returns whether the value is a pointer to a component that is used where it is made alone: it is no
  /// number, whatever its type.
  static bool is_of_component(const Value& value);
  /// Returns the type with numbers in the place of such addresses, and tuples in the place of structs that
  /// hold them.
  Type mapped(const Type& type) const;

 private:
  std::optional<std::size_t> pool_of(const Type& address) const;
  bool holds(const Type& type) const;
  bool can_be_mapped(const Type& type) const;
  bool can_be_mapped_inside(const Type& type) const;
  bool can_be_numbered() const;
  bool can_be_numbered(const Instruction& instruction) const;
  bool has_single_values(const Value& pointer) const;
  bool is_known_pointer(const Instruction& element_pointer) const;
  bool find_allocations();

  const Function& function_;
  std::vector<Type> pointees_;
  std::vector<Allocation> allocations_;
};

}  // namespace dlvm
