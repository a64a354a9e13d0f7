// Windows: subscripts s*i + d*u + c, where the sum is over u. Seen as one axis of positions, what depends on
// them is computed once for each position; a reduction over u is then a `reduceWindow`, and a sum of products
// with a tensor that has the index u is a `convolve`.
#include "dlvm/ir/window.h"

#include <algorithm>
#include <unordered_set>

#include "frontend/check/index_notation/lifter.h"
#include "frontend/check/values.h"

namespace frontend::check {
namespace {

using dlvm::Opcode;

bool same(const Window& a, const Window& b) {
  return a.position == b.position && a.tap == b.tap && a.stride == b.stride && a.step == b.step &&
         a.constant == b.constant;
}

std::int64_t magnitude(std::int64_t step) { return step < 0 ? -step : step; }

/// The window that the subscript may be one of.
std::optional<Window> as_window(const Affine& affine, const Labels& over, const Labels& labels) {
  if (affine.coefficients.size() != 2) return std::nullopt;
  Window window;
  window.constant = affine.constant;
  bool has_position = false, has_tap = false;
  for (const auto& [id, coefficient] : affine.coefficients) {
    if (contains(over, id)) {
      window.tap = id;
      window.step = coefficient;
      has_tap = true;
    } else if (contains(labels, id) && coefficient > 0) {
      window.position = id;
      window.stride = coefficient;
      has_position = true;
    }
  }
  return has_position && has_tap ? std::optional(window) : std::nullopt;
}

/// The accesses and indices in a value of one element.
std::vector<const Node*> leaves_of(const Node* element) {
  std::vector<const Node*> stack{element}, leaves;
  std::unordered_set<const Node*> seen;
  while (!stack.empty()) {
    const Node* top = stack.back();
    stack.pop_back();
    if (!top->indexed || !seen.insert(top).second) continue;
    if (top->kind == Node::Kind::element || top->kind == Node::Kind::index) leaves.push_back(top);
    stack.insert(stack.end(), top->operands.begin(), top->operands.end());
  }
  return leaves;
}

}  // namespace

/// Whether the index stands in no other subscript of the value, and not as a number.
bool Lifter::only_in(const Window& window, const std::vector<const Node*>& leaves) const {
  const auto is_index = [&](Label label) { return label == window.position || label == window.tap; };
  for (const Node* leaf : leaves) {
    if (leaf->kind == Node::Kind::index) {
      if (is_index(leaf->index)) return false;
      continue;
    }
    const Access& access = equation_.accesses[leaf->index];
    for (const Position& position : access.positions) {
      if (std::ranges::none_of(position_labels(access, position), is_index)) continue;
      const auto found = position.affine ? as_window(*position.affine, {window.tap}, {window.position})
                                         : std::optional<Window>();
      if (!found || !same(*found, window)) return false;
    }
  }
  return true;
}

/// The least position, and how many there are: the whole axis where the window goes over all of it.
void Lifter::set_range(Window& window, const std::vector<const Node*>& leaves) {
  const IndexVariable &position = equation_.indices[window.position], &tap = equation_.indices[window.tap];
  const Extent taps = Extent(magnitude(window.step)) * (*tap.extent - 1);
  window.base = window.constant + Extent(window.stride) * position.first + Extent(window.step) * tap.first -
                (window.step < 0 ? taps : Extent(0));
  window.extent = Extent(window.stride) * (*position.extent - 1) + taps + 1;
  std::optional<Extent> axis;
  bool equal = window.base.is(0);
  for (const Node* leaf : leaves) {
    if (leaf->kind == Node::Kind::index) continue;
    const Access& access = equation_.accesses[leaf->index];
    for (std::size_t i = 0; i < access.positions.size(); ++i) {
      const auto& affine = access.positions[i].affine;
      if (!affine || !affine->coefficients.contains(window.tap)) continue;
      const Extent& extent = leaf->operands[0]->type.shape[i];
      equal = equal && axis.value_or(extent) == extent;
      axis = extent;
    }
  }
  if (equal && axis && Extent::floor_divide(*axis - taps - 1, window.stride) + 1 == *position.extent)
    window.extent = *axis;
}

std::vector<Window> Lifter::windows_in(const Node* element, const Labels& over) {
  const std::vector<const Node*> leaves = leaves_of(element);
  std::vector<Window> windows;
  for (const Node* leaf : leaves) {
    if (leaf->kind == Node::Kind::index) continue;
    for (const Position& position : equation_.accesses[leaf->index].positions) {
      if (!position.affine || window_of(position) != nullptr) continue;
      auto window = as_window(*position.affine, over, labels_of(element));
      if (!window || std::ranges::any_of(windows, [&](const Window& each) { return same(each, *window); }))
        continue;
      if (!only_in(*window, leaves)) continue;
      set_range(*window, leaves);
      window->label = first_window + window_extents_.size();
      window_extents_.emplace(window->label, window->extent);
      windows.push_back(std::move(*window));
    }
  }
  return windows;
}

Lifted Lifter::lift_with(Node* element, const std::vector<Window>& windows) {
  const std::size_t before = windows_.size();
  windows_.insert(windows_.end(), windows.begin(), windows.end());
  Lifts lifts;
  const Lifted result = lift(element, lifts);
  windows_.resize(before);
  return result;
}

// ------------------------------------------------------------------------------------- window reductions

Lifted Lifter::windowed_reduction(Node* element, Opcode opcode, const Labels& over, Location location,
                                  Lifts& lifts) {
  std::vector<Window> windows = windows_in(element, over);
  std::erase_if(windows, [&](const Window& window) {
    return magnitude(window.step) != 1 || !extent_of(window.tap).constant();
  });
  if (windows.empty()) return reduced(lift(element, lifts), opcode, over, location);
  Labels others = over;
  for (const Window& window : windows) std::erase(others, window.tap);
  Lifted x = reduced(lift_with(element, windows), opcode, others, location);
  if (x.node == nullptr) return broken();
  std::vector<dlvm::WindowAxis> axes;
  dlvm::Integers dims;
  for (std::size_t i = 0; i < x.labels.size(); ++i) {
    dlvm::WindowAxis axis{x.node->type.shape[i], 1, 1, 0, 0};
    for (const Window& window : windows) {
      if (window.label != x.labels[i]) continue;
      axis.taps = extent_of(window.tap);
      axis.stride = window.stride;
      x.labels[i] = window.position;
    }
    dims.push_back(*axis.taps.constant());
    axes.push_back(std::move(axis));
  }
  Node initial;
  initial.kind = Node::Kind::identity;
  initial.opcode = opcode;
  initial.type.element = x.node->type.element;
  initial.location = location;
  const dlvm::WindowAttributes attributes(axes);
  x.node = operation(Opcode::reduceWindow, {x.node, add_node(context_, std::move(initial))},
                     {dlvm::Combinator{opcode, nullptr}, std::move(dims), attributes.strides,
                      attributes.padding, attributes.left_dilation},
                     location);
  return settled(std::move(x), location);
}

/// The tensor with the shape that its labels say.
Lifted Lifter::settled(Lifted x, Location location) {
  x.node = make_reshape(context_, x.node, extents_of(x.labels), location);
  return x;
}

// ------------------------------------------------------------------------------------------ convolutions

namespace {

/// What the labels of a convolution are.
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
    if (!moving.empty() && !std::ranges::equal(found, windows, same)) return std::nullopt;
    if (moving.empty()) windows = found;
    moving.push_back(factor);
  }
  if (moving.empty() || fixed.empty()) return std::nullopt;
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
    axes.push_back({window.extent, extent_of(window.tap), window.stride, 0, 0, 1, magnitude(window.step)});
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
  Node* result = operation(Opcode::convolve, {left, right},
                           {attributes.strides, attributes.padding, attributes.left_dilation,
                            attributes.right_dilation,
                            groups.is(1) ? dlvm::Attribute() : dlvm::Attribute(dlvm::Integers{*groups.constant()})},
                           location);
  return settled({result, chained({&roles.batch, &roles.groups, &roles.filters, &positions})}, location);
}

}  // namespace frontend::check
