#pragma once

#include <vector>

#include "codegen/kernel/build/graph.h"
#include "dlvm/ir/window.h"

/// The division of a window's result positions into parts in each of which the same taps meet elements. Where
/// left dilation l puts l - 1 positions between the elements of the operand, the taps that meet elements
/// depend on the residue of the result position modulo l / gcd(stride, l) alone. So in a part every tap that
/// is visited meets an element, or is before or behind all of them.
namespace codegen::kernel {

/// The results at positions first + step * u of one axis, and the taps first_tap + tap_step * v, which meet
/// elements (origin + stride * u + dilation * v) / spacing, where that is whole.
struct WindowPart {
  Extent positions, taps;  ///< the numbers of u and v
  std::int64_t first = 0, step = 1, first_tap = 0, tap_step = 1;
  Extent origin;
  std::int64_t stride = 1, dilation = 1;
  std::int64_t spacing = 1;  ///< more than 1 if the axis is not divided though it is spread
  Extent input;              ///< the operand's extent

  Index position(const Index& u) const { return u * Extent(step) + constant_index(first); }
  Index tap(const Index& v) const { return v * Extent(tap_step) + constant_index(first_tap); }
};
/// A part of each axis.
using WindowParts = std::vector<WindowPart>;

/// Returns the one part with all positions and taps of the axes.
WindowParts undivided(const std::vector<dlvm::WindowAxis>& axes);
/// Returns all combinations of the axes' parts, except for those without positions.
std::vector<WindowParts> divide(const std::vector<dlvm::WindowAxis>& axes);

/// Returns whether no tap of the part meets an element.
bool is_empty(const WindowParts& parts);
/// A part, and empty ones whose results are stored together with its own.
struct JoinedParts {
  WindowParts part;
  std::vector<WindowParts> empty;
};
/// Returns the parts, where empty ones are joined to the first that is not and has as many positions along
/// each axis: results next to each other are stored together, and memory is written in one pass.
std::vector<JoinedParts> join_empty_parts(std::vector<WindowParts> parts);

/// Returns whether the instruction is a window that stages of its own axes compute: a convolution of groups,
/// or one over a spread operand.
bool is_divided_window(const Graph& graph, const dlvm::Instruction& instruction);

/// The element that a tap meets, along the axes so far.
struct WindowSource {
  Indices indices;
  std::vector<Bound> bounds;  ///< it is outside where one does not hold
};
/// Adds the element of the part's axis that tap `v` meets at position `u`.
void meet(const WindowPart& part, const Index& u, const Index& v, AxisExtents axes, WindowSource& source);

}  // namespace codegen::kernel
