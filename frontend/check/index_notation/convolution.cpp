// Sums of products of windows with a tensor that has their taps: convolutions.
#include <algorithm>
#include <iterator>

#include "dlvm/ir/window.h"
#include "frontend/check/expressions/values.h"
#include "frontend/check/index_notation/lifter.h"

namespace frontend::check {

using dlvm::Opcode;

namespace {

bool same_subscripts(const Window& a, const Window& b) { return a.matches(b); }

/// Says what the labels of a convolution are.
struct Roles {
  Labels batch, groups, channels, filters, input_only, kernel_only;
};

Roles roles_of(const Labels& input, const Labels& kernel, const std::vector<Window>& windows,
               const Labels& over) {
  Roles roles;
  const auto of_window = [&](Label label) {
    return std::ranges::any_of(
        windows, [&](const Window& window) { return label == window.label || label == window.tap; });
  };
  for (const Label label : input) {
    if (of_window(label)) continue;
    const bool both = contains(kernel, label), summed = contains(over, label);
    (both ? (summed ? roles.channels : roles.groups) : (summed ? roles.input_only : roles.batch))
        .push_back(label);
  }
  for (const Label label : kernel)
    if (!of_window(label) && !contains(input, label))
      (contains(over, label) ? roles.kernel_only : roles.filters).push_back(label);
  return roles;
}

Labels chained(std::initializer_list<const Labels*> parts) {
  Labels all;
  for (const Labels* part : parts) all.insert(all.end(), part->begin(), part->end());
  return all;
}

}  // namespace

std::optional<Lifted> Lifter::convolution(const std::vector<Node*>& factors, const Labels& over, Lifts& lifts,
                                          Location location) {
  std::vector<Window> windows;
  std::vector<Node*> moving, fixed;
  for (Node* factor : factors) {
    const std::vector<Window> found = windows_in(factor, over);
    if (found.empty()) {
      fixed.push_back(factor);
      continue;
    }
    if (!moving.empty() && !std::ranges::equal(found, windows, &same_subscripts)) return std::nullopt;
    if (moving.empty()) windows = found;
    moving.push_back(factor);
  }
  if (moving.empty() || fixed.empty()) return std::nullopt;
  std::vector<const Node*> leaves;
  for (const Node* factor : moving) std::ranges::copy(leaves_of(factor), std::back_inserter(leaves));
  for (Window& window : windows) {
    set_range(window, leaves);
    window_extents_[window.label] = window.extent;
  }
  Labels input_labels, kernel_labels;
  for (const Node* factor : moving) input_labels = joined(input_labels, labels_of(factor));
  for (const Node* factor : fixed) kernel_labels = joined(kernel_labels, labels_of(factor));
  for (const Window& window : windows)
    if (contains(kernel_labels, window.position)) return std::nullopt;
  const auto is_constant = [&](Label label) { return extent_of(label).constant().has_value(); };
  if (!std::ranges::all_of(roles_of(input_labels, kernel_labels, windows, over).groups, [&](Label label) {
        return is_constant(label) ||
               std::ranges::any_of(windows, [&](const Window& window) { return window.position == label; });
      }))
    return std::nullopt;
  const auto product = [&](const std::vector<Node*>& all, auto lift_one) {
    Lifted result;
    for (Node* factor : all) {
      const Lifted next = lift_one(factor);
      result = factor == all.front() ? next : combined(Opcode::multiply, result, next, location);
    }
    return result;
  };
  Lifted input = product(moving, [&](Node* factor) { return lift_with(factor, windows); });
  Lifted kernel = product(fixed, [&](Node* factor) { return lift(factor, lifts); });
  if (input.node == nullptr || kernel.node == nullptr) return broken();
  return convolve(std::move(input), std::move(kernel), windows, over, location);
}

// The batch, and the channels, each become one axis of the instruction's operands.
Lifted Lifter::convolve(Lifted input, Lifted kernel, const std::vector<Window>& windows, const Labels& over,
                        Location location) {
  const Roles roles = roles_of(input.labels, kernel.labels, windows, over);
  input = reduced(input, Opcode::add, roles.input_only, location);
  kernel = reduced(kernel, Opcode::add, roles.kernel_only, location);
  Labels places, taps, positions;
  std::vector<dlvm::WindowAxis> axes;
  dlvm::Integers backwards;
  for (const Window& window : windows) {
    if (window.step < 0) backwards.push_back(static_cast<std::int64_t>(2 + axes.size()));
    places.push_back(window.label);
    taps.push_back(window.tap);
    positions.push_back(window.position);
    axes.push_back({window.extent, extent_of(window.tap), window.stride, 0, 0, 1, window.spacing()});
  }
  const auto count = [&](const Labels& labels) { return dlvm::unit_count(extents_of(labels)); };
  const auto operand = [&](const Lifted& x, const Labels& order, Extent first, Extent second,
                           const Labels& spatial) {
    Shape shape = extents_of(spatial);
    shape.insert(shape.begin(), {std::move(first), std::move(second)});
    return make_reshape(context_, with_axes(x, order, location), std::move(shape), location);
  };
  const Extent groups = count(roles.groups), channels = count(roles.channels);
  Node* left = operand(input, chained({&roles.batch, &roles.groups, &roles.channels, &places}),
                       count(roles.batch), groups * channels, places);
  Node* right = operand(kernel, chained({&roles.groups, &roles.filters, &roles.channels, &taps}),
                        groups * count(roles.filters), channels, taps);
  if (right != nullptr && !backwards.empty())
    right = operation(Opcode::reverse, {right}, {std::move(backwards)}, location);
  const dlvm::WindowAttributes attributes(axes);
  Node* result =
      operation(Opcode::convolve, {left, right},
                {attributes.strides, attributes.padding, attributes.left_dilation, attributes.right_dilation,
                 groups.is(1) ? dlvm::Attribute() : dlvm::Attribute(dlvm::Integers{*groups.constant()})},
                location);
  return settled({result, chained({&roles.batch, &roles.groups, &roles.filters, &positions})}, location);
}

}  // namespace frontend::check
