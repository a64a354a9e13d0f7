#pragma once

#include "dlvm/ir/builder.h"

/// Elements that are named along one axis alone.
namespace dlvm {

/// Builds the indices, one for each axis, of the elements at `positions` along `axis`: element (i, k) is at
/// (i, positions(i, k)).
std::vector<Value*> indices_along(Builder& builder, Value* positions, std::size_t axis);

/// Builds the tensor of the elements of `x` at `positions` along `axis`.
Value* take_along(Builder& builder, Value* x, Value* positions, std::size_t axis);

}  // namespace dlvm
