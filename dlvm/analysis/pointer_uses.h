#pragma once

#include <vector>

#include "dlvm/ir/function.h"

namespace dlvm {

/// The uses that a function makes of the memory of one allocation or box.
struct PointerUses {
  std::vector<Instruction*> loads, stores;
  std::vector<Instruction*> derived;  ///< pointers and counts of references that are made from it, users last
  std::vector<Instruction*> copies;   ///< from or to it
  std::vector<Instruction*> ends;     ///< `deallocate` and `release`
  std::vector<Instruction*> retains;
  /// Keeps the pointer, or gives it away, so that the lists are not all; a call or a return, if there is one.
  Instruction* escape = nullptr;
  bool chooses = false;  ///< an operand says which value, or which component of an array, is meant
};

/// Follows a pointer, as the result of an allocation or the address of a global, through elementPointer and
/// projectBox. A pointer that is stored, passed, returned or held in another value escapes.
PointerUses pointer_uses(Value& pointer);

/// One step of an elementPointer into what the pointer points to.
struct PathStep {
  std::int64_t at = 0;     ///< the position, if it is known
  Value* value = nullptr;  ///< what says the position, if it is not
  Extent count = {};       ///< of the components
};

/// Returns the steps of an elementPointer's path. A literal that names one of the components is known.
std::vector<PathStep> path_steps(const Instruction& element_pointer);
/// Returns these where the pointer's type is no longer that of a pointer to `pointee`.
std::vector<PathStep> path_steps(const Instruction& element_pointer, Type pointee);
/// Returns the operand `from` of an elementPointer; null if it has none.
Value* first_value(const Instruction& element_pointer);
/// Returns the step that a value says, among `count` components.
PathStep step_of(Value* value, const Extent& count);

}  // namespace dlvm
