#pragma once

#include "codegen/kernel/ir/kernel.h"

namespace codegen::kernel {

/// The element of the operand from which the element of a view comes. Views are `padShape … broadcast` except
/// `concatenate`.
struct Source {
  Indices indices;            ///< the indices in the operand
  std::vector<Bound> bounds;  ///< the bounds of a `pad`, outside of which the element is the fill
};
/// Returns the source of element `indices` of `view`.
Source find_source(const dlvm::Instruction& view, const Indices& indices, AxisExtents axes);

/// Returns the element of an operand that broadcasting gives to element `indices`: right-aligned, and 0 along
/// axes of extent 1.
Indices find_broadcast_source(const Shape& operand, const Indices& indices);

/// Returns the element of a tensor of shape `from` at the same row-major position as `indices` have in shape
/// `to`.
Indices reshape_indices(const Shape& from, const Shape& to, const Indices& indices, AxisExtents axes);

}  // namespace codegen::kernel
