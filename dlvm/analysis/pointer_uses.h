#pragma once

#include <vector>

#include "dlvm/ir/function.h"

namespace dlvm {

/// What a function does with the memory of one allocation or box.
struct PointerUses {
  std::vector<Instruction*> loads, stores;
  std::vector<Instruction*> derived;  ///< pointers and counts of references that are made from it, users last
  std::vector<Instruction*> copies;   ///< from or to it
  std::vector<Instruction*> ends;     ///< `deallocate` and `release`
  std::vector<Instruction*> retains;
  bool escapes = false;        ///< something else may keep the pointer, so that the lists are not all
  bool has_positions = false;  ///< an operand says which component is meant, or it is a row of a tensor
};

/// Follows the result of an allocation through elementPointer and projectBox. A pointer that is stored,
/// passed, returned or held in another value escapes.
PointerUses pointer_uses(Instruction& allocation);

}  // namespace dlvm
