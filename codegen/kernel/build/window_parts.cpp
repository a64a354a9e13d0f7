#include "codegen/kernel/build/window_parts.h"

#include <algorithm>
#include <numeric>

#include "dlvm/ir/identity.h"
#include "dlvm/ir/instruction_views.h"

namespace codegen::kernel {
namespace {

using dlvm::WindowAxis;

/// The most parts of a window: more would be more code than they save.
constexpr std::size_t max_parts = 64;

WindowPart whole(const WindowAxis& axis) {
  WindowPart part;
  part.positions = axis.result();
  part.taps = axis.taps;
  part.origin = Extent(-1) * axis.low;
  part.stride = axis.stride;
  part.dilation = axis.right_dilation;
  part.spacing = axis.left_dilation;
  part.input = axis.input;
  return part;
}

/// Returns how many of the numbers first, first + step … are below the extent, for 0 <= first < step.
Extent count(const Extent& extent, std::int64_t first, std::int64_t step) {
  return Extent::floor_divide(extent + (step - 1 - first), step);
}

/// Returns the parts of one axis, by the residue of the result position.
std::vector<WindowPart> divide(const WindowAxis& axis) {
  const std::int64_t l = axis.left_dilation;
  const auto low = axis.low.constant();
  if (l == 1 || !low) return {whole(axis)};
  const std::int64_t residues = l / std::gcd(axis.stride, l), tap_step = l / std::gcd(axis.right_dilation, l);
  std::vector<WindowPart> parts;
  for (std::int64_t first = 0; first < residues; ++first) {
    WindowPart part = whole(axis);
    part.first = first;
    part.step = residues;
    part.tap_step = tap_step;
    part.positions = count(axis.result(), first, residues);
    if (part.positions.is(0)) continue;
    part.taps = 0;
    for (std::int64_t tap = 0; tap < tap_step; ++tap) {
      const std::int64_t position = first * axis.stride + tap * axis.right_dilation - *low;
      if (position % l != 0) continue;
      part.first_tap = tap;
      part.taps = count(axis.taps, tap, tap_step);
      part.origin = position / l;
    }
    part.stride = axis.stride * residues / l;
    part.dilation = axis.right_dilation * tap_step / l;
    part.spacing = 1;
    parts.push_back(std::move(part));
  }
  return parts;
}

}  // namespace

WindowParts undivided(const std::vector<WindowAxis>& axes) {
  WindowParts parts;
  for (const WindowAxis& axis : axes) parts.push_back(whole(axis));
  return parts;
}

std::vector<WindowParts> divide(const std::vector<WindowAxis>& axes) {
  std::vector<WindowParts> all{{}};
  for (const WindowAxis& axis : axes) {
    std::vector<WindowPart> parts = divide(axis);
    if (parts.size() * all.size() > max_parts) parts = {whole(axis)};
    std::vector<WindowParts> longer;
    for (const WindowParts& before : all)
      for (const WindowPart& part : parts) {
        longer.push_back(before);
        longer.back().push_back(part);
      }
    all = std::move(longer);
  }
  return all;
}

bool is_empty(const WindowParts& parts) {
  return std::ranges::any_of(parts, [](const WindowPart& part) { return part.taps.is(0); });
}

std::vector<JoinedParts> join_empty_parts(std::vector<WindowParts> parts) {
  std::ranges::stable_partition(parts, [](const WindowParts& part) { return !is_empty(part); });
  const auto has_same_positions = [](const WindowParts& a, const WindowParts& b) {
    return std::ranges::equal(a, b, {}, &WindowPart::positions, &WindowPart::positions);
  };
  std::vector<JoinedParts> joined;
  for (WindowParts& part : parts) {
    const auto with = std::ranges::find_if(joined, [&](const JoinedParts& other) {
      return is_empty(part) && !is_empty(other.part) && has_same_positions(part, other.part);
    });
    if (with == joined.end())
      joined.push_back({std::move(part), {}});
    else
      with->empty.push_back(std::move(part));
  }
  return joined;
}

bool is_divided_window(const Graph& graph, const dlvm::Instruction& i) {
  const auto is_spread = [](const WindowAxis& axis) { return axis.left_dilation > 1; };
  if (const auto convolution = dlvm::as<dlvm::Convolve>(i))
    return convolution.groups() > 1 || std::ranges::any_of(convolution.axes(), is_spread);
  const auto window = dlvm::as<dlvm::ReduceWindow>(i);
  if (!window || !std::ranges::any_of(window.axes(), is_spread)) return false;
  // The positions between the elements count, unless the initial value is the identity.
  const auto* initial = dlvm::as_literal(graph.resolve(window.initial()));
  return window.combinator().function == nullptr && initial != nullptr && initial->is_splat() &&
         initial->splat() == dlvm::identity_of(window.combinator().opcode, i.type().element()).real(0);
}

void meet(const WindowPart& part, const Index& u, const Index& v, AxisExtents axes, WindowSource& source) {
  Index index = constant_index(part.origin) + u * Extent(part.stride) + v * Extent(part.dilation);
  if (part.spacing > 1) {
    const Index between = modulo(index, part.spacing, axes);
    if (!provably_inside(between, 1, axes)) source.bounds.push_back({between, 1});
    index = floor_divide(index, part.spacing, axes);
  }
  if (!provably_inside(index, part.input, axes)) source.bounds.push_back({index, part.input});
  source.indices.push_back(std::move(index));
}

}  // namespace codegen::kernel
