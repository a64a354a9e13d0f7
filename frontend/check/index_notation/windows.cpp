// Windows: subscripts s*i + d*u + c, where the sum is over u. Seen as one axis of positions, what depends on
// them is computed once for each position; a reduction over u is then a `reduceWindow`, and a sum of products
// with a tensor that has the index u is a `convolve`.
#include "dlvm/ir/window.h"

#include <algorithm>
#include <unordered_set>

#include "frontend/check/expressions/values.h"
#include "frontend/check/index_notation/lifter.h"

namespace frontend::check {
namespace {

using dlvm::Opcode;

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

}  // namespace

bool Window::matches(const Window& other) const {
  return position == other.position && tap == other.tap && stride == other.stride && step == other.step &&
         constant == other.constant;
}

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
      if (!found || !found->matches(window)) return false;
    }
  }
  return true;
}

/// The least position, and how many there are: the whole axis where the window goes over all of it.
void Lifter::set_range(Window& window, const std::vector<const Node*>& leaves) {
  const IndexVariable &position = equation_.indices[window.position], &tap = equation_.indices[window.tap];
  const Extent taps = Extent(window.spacing()) * (*tap.extent - 1);
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
      if (!window || std::ranges::any_of(windows, [&](const Window& each) { return each.matches(*window); }))
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
    return window.spacing() != 1 || !extent_of(window.tap).constant();
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

}  // namespace frontend::check
