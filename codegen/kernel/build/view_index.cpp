#include "codegen/kernel/build/view_index.h"

#include <algorithm>

#include "dlvm/ir/instruction_views.h"
#include "dlvm/support/internal_error.h"

namespace codegen::kernel {
namespace {

using dlvm::Instruction;
using dlvm::Opcode;

std::size_t position(std::int64_t axis) { return static_cast<std::size_t>(axis); }

Indices transposed(const Instruction& view, const Indices& indices) {
  const dlvm::Integers permutation = dlvm::Transpose(view).permutation();
  Indices result(indices.size());
  for (std::size_t i = 0; i < indices.size(); ++i) result[position(permutation[i])] = indices[i];
  return result;
}

Indices reversed(const Instruction& view, Indices indices) {
  for (const auto axis : dlvm::Reverse(view).axes()) {
    Index& index = indices[position(axis)];
    index = constant_index(view.type().shape()[position(axis)] - 1) + index * -1;
  }
  return indices;
}

Indices sliced(const Instruction& view, Indices indices) {
  const dlvm::Slice slice(view);
  for (std::size_t i = 0; i < indices.size(); ++i)
    indices[i] = constant_index(slice.first()[i]) + indices[i] * Extent(slice.step(i));
  return indices;
}

Source unpadded(const Instruction& view, const Indices& indices, AxisExtents axes) {
  Source result;
  const auto& amounts = dlvm::Pad(view).amounts();
  const Shape& inner = view.operand(0)->type().shape();
  for (std::size_t i = 0; i < indices.size(); ++i) {
    result.indices.push_back(indices[i] + constant_index(Extent(-1) * amounts[i].first));
    if (!provably_inside(result.indices[i], inner[i], axes))
      result.bounds.push_back({result.indices[i], inner[i]});
  }
  return result;
}

/// One group of axes whose extents multiply to the same number on both sides.
void reshape_group(std::span<const Extent> from, std::span<const Extent> to, std::span<const Index> indices,
                   AxisExtents axes, Indices& result) {
  Index flat;
  for (std::size_t i = 0; i < to.size(); ++i) flat = flat * to[i] + indices[i];
  Indices reversed;
  for (std::size_t i = from.size(); i-- > 0;) {
    if (from[i].is(1)) {
      reversed.push_back({});
    } else if (std::all_of(from.begin(), from.begin() + static_cast<std::ptrdiff_t>(i),
                           [](const Extent& e) { return e.is(1); })) {
      reversed.push_back(flat);
    } else {
      reversed.push_back(modulo(flat, from[i], axes));
      flat = floor_divide(flat, from[i], axes);
    }
  }
  result.insert(result.end(), reversed.rbegin(), reversed.rend());
}

}  // namespace

Indices find_broadcast_source(const Shape& operand, const Indices& indices) {
  Indices result(indices.end() - static_cast<std::ptrdiff_t>(operand.size()), indices.end());
  for (std::size_t i = 0; i < operand.size(); ++i)
    if (operand[i].is(1)) result[i] = Index();
  return result;
}

Indices reshape_indices(const Shape& from, const Shape& to, const Indices& indices, AxisExtents axes) {
  Indices result;
  std::size_t i = 0, j = 0;
  while (i < from.size() || j < to.size()) {
    // The shortest groups with equal products; where the types leave that open, all that is left.
    std::size_t m = i, n = j;
    Extent a(1), b(1);
    do {
      const bool more_left = m < from.size(), more_right = n < to.size();
      if (more_right && (!more_left || provably_at_most(b, a) == dlvm::Proof::yes))
        b = b * to[n++];
      else if (more_left)
        a = a * from[m++];
    } while (a != b && (m < from.size() || n < to.size()));
    if (a != b) m = from.size(), n = to.size();
    reshape_group(std::span(from).subspan(i, m - i), std::span(to).subspan(j, n - j),
                  std::span(indices).subspan(j, n - j), axes, result);
    i = m, j = n;
  }
  return result;
}

Source find_source(const Instruction& view, const Indices& indices, AxisExtents axes) {
  const Shape& operand = view.operand(0)->type().shape();
  Indices result = indices;
  if (view.opcode() == Opcode::padShape) {
    result.erase(result.begin() + static_cast<std::ptrdiff_t>(dlvm::PadShape(view).axis()));
    return {result, {}};
  }
  if (view.opcode() == Opcode::squeezeShape) {
    result.insert(result.begin() + static_cast<std::ptrdiff_t>(dlvm::SqueezeShape(view).axis()), Index());
    return {result, {}};
  }
  if (view.opcode() == Opcode::shapeCast)
    return {reshape_indices(operand, view.type().shape(), indices, axes), {}};
  if (view.opcode() == Opcode::transpose) return {transposed(view, indices), {}};
  if (view.opcode() == Opcode::reverse) return {reversed(view, indices), {}};
  if (view.opcode() == Opcode::slice) return {sliced(view, indices), {}};
  if (view.opcode() == Opcode::pad) return unpadded(view, indices, axes);
  if (view.opcode() == Opcode::broadcast) return {find_broadcast_source(operand, indices), {}};
  dlvm::internal_error("no view: " + std::string(view.definition().name));
}

}  // namespace codegen::kernel
