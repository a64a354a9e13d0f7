#pragma once

#include "dlvm/ir/builder.h"

namespace dlvm {

/// Builds the sum of two cotangents of one value. Where both are zero but for a part, as those of slices are,
/// and the parts are neighbours, the parts are concatenated and nothing is added.
Value* accumulated(Builder& builder, Value* a, Value* b);

}  // namespace dlvm
