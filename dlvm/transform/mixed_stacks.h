#pragma once

#include "dlvm/ir/function.h"

namespace dlvm {

/// Lets each stack that the function alone uses, and whose values have several types, hold tuples of one
/// type: the position of a value's type among them (i32), and a component for each type, of which the others
/// are zeros. To take off a value of another type than the one on top is an error, as it was. Returns whether
/// something changed.
bool unify_mixed_stacks(Function& function);

}  // namespace dlvm
