#pragma once

#include "dlvm/ir/opcode.h"
#include "dlvm/ir/tensor.h"

namespace dlvm {

/// Returns the scalar that changes nothing: combine(identity, x) = x for every x of the type. The instruction
/// is one that combines elements (it is associative) and takes the element type.
Tensor identity_of(Opcode combinator, ElementType element);

}  // namespace dlvm
