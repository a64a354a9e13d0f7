// Reductions over indices: which instructions they are.
#include <algorithm>

#include "frontend/check/expressions/values.h"
#include "frontend/check/index_notation/lifter.h"
#include "frontend/check/types/elements.h"

namespace frontend::check {
namespace {

using dlvm::Opcode;

bool share(const Labels& a, const Labels& b) {
  return std::ranges::any_of(a, [&](Label label) { return contains(b, label); });
}

/// A product, taken apart.
struct Product {
  std::vector<Node*> factors, divisors;
  bool negative = false;
};

}  // namespace

Labels Lifter::position_labels(const Access& access, const Position& position) const {
  if (!position.affine) return labels_of(access.node->operands[position.operand]);
  Labels labels;
  for (const auto& [id, coefficient] : position.affine->coefficients) labels.push_back(id);
  return labels;
}

const Labels& Lifter::labels_of(const Node* element) const {
  static const Labels none;
  const auto found = labels_.find(element);
  return found == labels_.end() ? none : found->second;
}

// The nodes are in an order in which each follows its operands.
void Lifter::find_labels() {
  for (const auto& node : context_.body.nodes) {
    if (!node->indexed) continue;
    Labels labels;
    const auto add = [&](const Labels& more) {
      for (const Label label : more)
        if (!contains(labels, label)) labels.push_back(label);
    };
    for (const Node* operand : node->operands) add(labels_of(operand));
    if (node->kind == Node::Kind::index) labels.push_back(node->index);
    if (node->kind == Node::Kind::element && node->index < equation_.accesses.size() &&
        equation_.accesses[node->index].node == node.get())
      for (const Position& position : equation_.accesses[node->index].positions)
        add(position_labels(equation_.accesses[node->index], position));
    if (node->kind == Node::Kind::reduction && node->index < equation_.reductions.size())
      std::erase_if(labels,
                    [&](Label label) { return contains(equation_.reductions[node->index].indices, label); });
    labels_[node.get()] = std::move(labels);
  }
}

Lifted Lifter::reduced(const Lifted& x, Opcode opcode, const Labels& over, Location location) {
  if (x.node == nullptr || over.empty()) return x;
  Lifted whole = x;
  for (const Label label : over)
    if (!contains(x.labels, label)) whole.labels.push_back(label);
  whole.node = with_axes(x, whole.labels, location);
  if (whole.node == nullptr) return broken();
  Node initial;
  initial.kind = Node::Kind::identity;
  initial.opcode = opcode;
  initial.type.element = x.node->type.element;
  initial.location = location;
  dlvm::Integers axes;
  Labels left;
  for (std::size_t axis = 0; axis < whole.labels.size(); ++axis) {
    if (contains(over, whole.labels[axis]))
      axes.push_back(static_cast<std::int64_t>(axis));
    else
      left.push_back(whole.labels[axis]);
  }
  return {operation(Opcode::reduce, {whole.node, add_node(context_, std::move(initial))},
                    {dlvm::Combinator{opcode, nullptr}, std::move(axes)}, location),
          left};
}

Lifted Lifter::reduction(const Node& node, Lifts& lifts) {
  const Reduction& written = equation_.reductions[node.index];
  const Labels over(written.indices.begin(), written.indices.end());
  if (written.mean) return mean(node, over, lifts);
  if (node.opcode == Opcode::add) return sum(node.operands[0], over, node.location, lifts);
  return windowed_reduction(node.operands[0], node.opcode, over, node.location, lifts);
}

// A sum of 16-bit numbers may be too large for their type where the mean is not.
Lifted Lifter::mean(const Node& node, const Labels& over, Lifts& lifts) {
  Node* element = node.operands[0];
  const Element type = resolved(context_, element->type.element);
  const bool narrow = type.known() && dlvm::info(type.type).bytes == 2;
  if (narrow) {
    element = make_conversion(context_, element, ElementType::f32, node.location);
    labels_[element] = labels_of(node.operands[0]);
  }
  const Lifted total = sum(element, over, node.location, lifts);
  if (total.node == nullptr) return broken();
  const Extent count = dlvm::unit_count(extents_of(over));
  const Lifted divisor{make_extent_value(context_, count, node.location, total.node->type.element), {}};
  Lifted result = combined(Opcode::divide, total, divisor, node.location);
  if (narrow) result.node = make_conversion(context_, result.node, type.type, node.location);
  return result;
}

// Factors without the indices of the sum stand outside of it.
Lifted Lifter::sum(Node* element, const Labels& over, Location location, Lifts& lifts) {
  Product product;
  std::vector<Node*> stack{element};
  while (!stack.empty()) {
    Node* top = stack.back();
    stack.pop_back();
    const bool operation = top->kind == Node::Kind::operation && top->indexed;
    if (operation && top->opcode == Opcode::multiply) {
      stack.push_back(top->operands[1]);
      stack.push_back(top->operands[0]);
    } else if (operation && top->opcode == Opcode::negate) {
      product.negative = !product.negative;
      stack.push_back(top->operands[0]);
    } else if (operation && top->opcode == Opcode::divide && !share(labels_of(top->operands[1]), over)) {
      product.divisors.push_back(top->operands[1]);
      stack.push_back(top->operands[0]);
    } else {
      product.factors.push_back(top);
    }
  }
  std::vector<Node*> inside, outside;
  for (Node* factor : product.factors) (share(labels_of(factor), over) ? inside : outside).push_back(factor);
  const bool complete = std::ranges::all_of(over, [&](Label label) {
    return std::ranges::any_of(inside, [&](Node* factor) { return contains(labels_of(factor), label); });
  });
  if (!complete) return windowed_reduction(element, Opcode::add, over, location, lifts);
  Lifted result = sum_of_factors(inside, over, location, lifts);
  for (Node* factor : outside) result = combined(Opcode::multiply, result, lift(factor, lifts), location);
  for (Node* divisor : product.divisors)
    result = combined(Opcode::divide, result, lift(divisor, lifts), location);
  if (product.negative && result.node != nullptr)
    result.node = operation(Opcode::negate, {result.node}, {}, location);
  return result;
}

Lifted Lifter::sum_of_factors(const std::vector<Node*>& factors, const Labels& over, Location location,
                              Lifts& lifts) {
  if (factors.size() == 1) return windowed_reduction(factors[0], Opcode::add, over, location, lifts);
  if (auto result = convolution(factors, over, lifts, location)) return *result;
  std::vector<Lifted> lifted;
  for (Node* factor : factors) {
    lifted.push_back(lift(factor, lifts));
    if (lifted.back().node == nullptr) return broken();
  }
  return contraction(std::move(lifted), over, location);
}

}  // namespace frontend::check
