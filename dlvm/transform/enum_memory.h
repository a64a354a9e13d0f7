#pragma once

#include <unordered_set>
#include <vector>

#include "dlvm/ir/function.h"

namespace dlvm {

/// The memory of a function that holds enums which are not recursive. It can hold tuples of their leaves
/// (expanded_type.h) instead, so that what is loaded and stored has leaves like other values; the way to a
/// component is the same, because no pointer points into an enum.
class EnumMemory {
 public:
  /// Finds such memory. There is none where the function takes, passes on or stores pointers to it.
  explicit EnumMemory(const Function& function);

  bool empty() const { return pointers_.empty(); }
  /// Returns whether the instruction loads or stores values that hold enums.
  bool is_access(const Instruction& instruction) const { return accesses_.contains(&instruction); }
  /// Gives the memory its new type; what loads and stores values is replaced by the caller.
  void change_types() const;

  /// Returns the type with tuples of leaves in the place of enums.
  static Type flattened(const Type& type);

 private:
  std::vector<Value*> pointers_;  ///< and boxes
  std::unordered_set<const Instruction*> accesses_;
};

}  // namespace dlvm
