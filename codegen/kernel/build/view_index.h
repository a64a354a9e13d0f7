#pragma once

#include "codegen/kernel/ir/kernel.h"

namespace codegen::kernel {

/// Where the element of a view (`padShape … broadcast`, but not `concatenate`) comes from.
struct Source {
  Indices indices;            ///< in the operand
  std::vector<Bound> bounds;  ///< of a `pad`: outside of one the element is the fill
};
Source source(const dlvm::Instruction& view, const Indices& indices, AxisExtents axes);

/// The element of an operand that broadcasting gives to element `indices`: right-aligned, 0 along axes of
/// extent 1.
Indices broadcast_source(const Shape& operand, const Indices& indices);

/// The element of a tensor of shape `from` at the same row-major position as `indices` in shape `to`.
Indices reshaped(const Shape& from, const Shape& to, const Indices& indices, AxisExtents axes);

}  // namespace codegen::kernel
