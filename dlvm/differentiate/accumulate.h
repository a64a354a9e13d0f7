#pragma once

#include "dlvm/ir/builder.h"

namespace dlvm {

/// Builds the sum of two cotangents of one value, the second of which has just been built. Where both are
/// zero but for a part, as those of slices are, and the parts are neighbours, the parts are concatenated and
/// nothing is added. What is scattered onto zeros is scattered onto a cotangent of another block, so
/// that a loop does not go over all of it each time round.
Value* accumulated(Builder& builder, Value* a, Value* b);

}  // namespace dlvm
