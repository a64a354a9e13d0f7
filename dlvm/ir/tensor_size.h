#pragma once

#include "dlvm/ir/type.h"

namespace dlvm {

/// Returns whether a 64-bit number holds the bytes of the tensor; true where not all extents are constants,
/// and for what is no tensor.
bool has_countable_bytes(const Type& type);

}  // namespace dlvm
