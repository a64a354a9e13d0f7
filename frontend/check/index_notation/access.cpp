// Accesses of tensors: slices where each index has an axis to itself, gathers otherwise.
#include <algorithm>

#include "frontend/check/expressions/values.h"
#include "frontend/check/index_notation/lifter.h"
#include "frontend/check/types/elements.h"

namespace frontend::check {
namespace {

using dlvm::Integers;
using dlvm::Opcode;

/// The part of an axis that a subscript with at most one index takes.
struct Part {
  Extent from, upto;
  std::int64_t step = 1;
  bool backwards = false;
};

Part part_of(const Affine& affine, const Equation& equation, const Extent& axis) {
  if (affine.coefficients.empty()) return {affine.constant, affine.constant + 1};
  const auto [id, factor] = *affine.coefficients.begin();
  const IndexVariable& index = equation.indices[id];
  const Extent& count = *index.extent;
  Part part;
  part.step = factor > 0 ? factor : -factor;
  part.backwards = factor < 0;
  const Extent first = affine.constant + Extent(factor) * index.first;
  part.from = part.backwards ? first - Extent(part.step) * (count - 1) : first;
  part.upto = part.from + Extent(part.step) * (count - 1) + 1;
  // Up to the end of the axis where that holds no further element.
  if (Extent::floor_divide(axis - part.from + part.step - 1, part.step) == count) part.upto = axis;
  return part;
}

/// The slices, squeezed axes and reversed axes of one access.
struct Cut {
  Shape from, upto, kept;
  Integers steps, backwards;

  void take(const Part& part, bool keep, const Extent& count) {
    if (part.backwards) backwards.push_back(static_cast<std::int64_t>(kept.size()));
    from.push_back(part.from);
    upto.push_back(part.upto);
    steps.push_back(part.step);
    if (keep) kept.push_back(count);
  }
};

Node* apply(BodyContext& context, Node* x, const Cut& cut, Location location) {
  const bool stepped = std::ranges::any_of(cut.steps, [](std::int64_t step) { return step != 1; });
  const bool whole = std::ranges::all_of(cut.from, [](const Extent& e) { return e.is(0); });
  if (stepped || !whole || cut.upto != x->type.shape)
    x = make_operation(context, Opcode::slice, {x},
                       {cut.from, cut.upto, stepped ? dlvm::Attribute(cut.steps) : dlvm::Attribute()},
                       location);
  x = make_reshape(context, x, cut.kept, location);
  if (x != nullptr && !cut.backwards.empty())
    x = make_operation(context, Opcode::reverse, {x}, {cut.backwards}, location);
  return x;
}

bool is_window(const Affine& affine, const Window& window) {
  const std::map<IndexId, std::int64_t> coefficients{{window.position, window.stride},
                                                     {window.tap, window.step}};
  return affine.constant == window.constant && affine.coefficients == coefficients;
}

}  // namespace

const Window* Lifter::window_of(const Position& position) const {
  if (!position.affine) return nullptr;
  const auto found =
      std::ranges::find_if(windows_, [&](const Window& each) { return is_window(*position.affine, each); });
  return found == windows_.end() ? nullptr : &*found;
}

// A subscript takes part in a gather if it is computed, if it has several indices, or if it shares one with
// another subscript.
std::vector<bool> Lifter::gathered_axes(const Access& access) {
  std::map<Label, std::size_t> uses;
  std::vector<Labels> labels;
  for (const Position& position : access.positions) {
    labels.push_back(position_labels(access, position));
    for (const Label label : labels.back()) ++uses[label];
  }
  std::vector<bool> gathered;
  for (std::size_t axis = 0; axis < labels.size(); ++axis) {
    const Position& position = access.positions[axis];
    const bool shares = std::ranges::any_of(labels[axis], [&](Label label) { return uses[label] > 1; });
    const bool plain = position.affine && position.affine->coefficients.size() <= 1;
    gathered.push_back(window_of(position) == nullptr && (!plain || shares));
  }
  return gathered;
}

Lifted Lifter::access(const Node& node, Lifts& lifts) {
  const Access& access = equation_.accesses[node.index];
  Node* x = node.operands[0];
  const std::vector<bool> gathers = gathered_axes(access);
  Cut cut;
  Labels labels;
  std::vector<const Position*> positions;
  for (std::size_t axis = 0; axis < access.positions.size(); ++axis) {
    const Position& position = access.positions[axis];
    const Extent& extent = x->type.shape[axis];
    if (gathers[axis]) {
      cut.take({0, extent}, true, extent);
      labels.push_back(first_gathered + positions.size());
      positions.push_back(&position);
    } else if (const Window* window = window_of(position)) {
      cut.take({window->base, window->base + window->extent}, true, window->extent);
      labels.push_back(window->label);
    } else {
      const auto& coefficients = position.affine->coefficients;
      const bool keep = !coefficients.empty();
      const Label label = keep ? coefficients.begin()->first : 0;
      cut.take(part_of(*position.affine, equation_, extent), keep, keep ? extent_of(label) : Extent(1));
      if (keep) labels.push_back(label);
    }
  }
  x = apply(context_, x, cut, node.location);
  if (x == nullptr || positions.empty()) return {x, labels};
  return gathered({x, labels}, positions, node, lifts);
}

/// The position along the axis for each combination of its indices.
Lifted Lifter::index_values(const Position& position, const Node& node, Element element, Lifts& lifts) {
  if (!position.affine) return lifts.at(node.operands[position.operand]);
  Extent constant = position.affine->constant;
  Lifted sum;
  for (const auto& [id, coefficient] : position.affine->coefficients) {
    constant = constant + Extent(coefficient) * equation_.indices[id].first;
    Lifted term{operation(Opcode::iota, {}, {Shape{extent_of(id)}, Integers{0}, element.type}, node.location,
                          element),
                {id}};
    if (coefficient != 1) {
      const Lifted factor{make_constant(context_, Number(coefficient), element, node.location), {}};
      term = combined(Opcode::multiply, term, factor, node.location);
    }
    sum = sum.node == nullptr ? term : combined(Opcode::add, sum, term, node.location);
  }
  Lifted offset{make_extent_value(context_, constant, node.location, element), {}};
  if (sum.node == nullptr) return offset;
  return constant.is(0) ? sum : combined(Opcode::add, sum, offset, node.location);
}

Lifted Lifter::gathered(const Lifted& x, const std::vector<const Position*>& positions, const Node& node,
                        Lifts& lifts) {
  // The axes that are gathered come next to each other, at the place of the first.
  Labels order, before, after, among;
  for (const Label label : x.labels) {
    if (label >= first_gathered)
      among.push_back(label);
    else
      (among.empty() ? before : after).push_back(label);
  }
  order = before;
  order.insert(order.end(), among.begin(), among.end());
  order.insert(order.end(), after.begin(), after.end());
  Node* tensor = transposed(x, order, node.location);

  Element element = ElementType::i64;
  for (const Position* position : positions)
    if (!position->affine) element = resolved(context_, node.operands[position->operand]->type.element);
  Labels labels;
  std::vector<Lifted> indices;
  for (const Position* position : positions) {
    indices.push_back(index_values(*position, node, element, lifts));
    if (indices.back().node == nullptr) return broken();
    indices.back().node = make_conversion(context_, indices.back().node, element.type, node.location);
    labels = joined(labels, indices.back().labels);
  }
  std::vector<Node*> operands{tensor};
  Integers axes;
  for (const Lifted& index : indices) {
    axes.push_back(static_cast<std::int64_t>(before.size() + axes.size()));
    operands.push_back(with_axes(index, labels, node.location));
  }
  Labels result = before;
  result.insert(result.end(), labels.begin(), labels.end());
  result.insert(result.end(), after.begin(), after.end());
  return {operation(Opcode::gather, std::move(operands), {std::move(axes)}, node.location), result};
}

}  // namespace frontend::check
