// Gradients inside expressions: what leads from the names to the scalar becomes a function of its own, whose
// gradient is declared and called.
#pragma once

#include <unordered_set>
#include <vector>

#include "dlvm/ir/function.h"

namespace frontend::check {
struct Node;
}

namespace frontend::lower {

class Functions;

/// What stands in a function for the gradients of its expressions while it is built.
struct Gradients {
  struct Place {
    /// A tuple of the scalar and the values to differentiate by. Element i + 1 stands for derivative i.
    dlvm::Instruction* instruction;
    const check::Node* node;
    std::vector<const check::Node*> names;  ///< of each value to differentiate by, what it is or is a part of
  };
  std::vector<Place> places;  ///< inner ones first
  /// Each makes of a value one of its own, so that a gradient can tell a name from others for equal values.
  std::unordered_set<dlvm::Instruction*> named;
};

/// Makes the gradients of a function that is complete otherwise. Reports those that are not possible, and
/// puts zeros in their place.
void make_gradients(dlvm::Function& function, Gradients& gradients, Functions& functions);

}  // namespace frontend::lower
