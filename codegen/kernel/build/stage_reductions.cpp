#include "codegen/kernel/build/stage_builder.h"

#include <algorithm>

#include "codegen/kernel/build/index_facts.h"
#include "codegen/kernel/build/monoid.h"
#include "dlvm/ir/instruction_views.h"

namespace codegen::kernel {

using dlvm::as_instruction;
using dlvm::Instruction;
using dlvm::Integers;
using dlvm::Opcode;
using dlvm::Value;

namespace {

std::size_t position(std::int64_t axis) { return static_cast<std::size_t>(axis); }

bool contains(const Integers& axes, std::size_t axis) {
  return std::find(axes.begin(), axes.end(), static_cast<std::int64_t>(axis)) != axes.end();
}

void order(Stage& stage, const Index& at) {
  const auto along = lone_axis(at);
  for (Axis& axis : stage.axes)
    if (along && axis.id == *along) axis.kind = AxisKind::ordered;
}

}  // namespace

std::vector<ScalarId> StageBuilder::emit_reductions(Stage& stage, ScalarEmitter& e,
                                                    const std::vector<PlacedNode>& nodes) {
  Indices reduced;  // the points of the axes that all of them reduce
  std::vector<Reduction> parts;
  for (const PlacedNode& placed : nodes) {
    const Instruction& i = *as_instruction(placed.node->value);
    const Value* input = i.operand(0);
    const Indices at = element_indices(*placed.node, placed.axes);
    Indices from;
    std::size_t next = 0, next_reduced = 0;
    for (std::size_t d = 0; d < input->type().rank(); ++d) {
      if (!contains(i.axes(), d)) {
        from.push_back(at[next++]);
        continue;
      }
      if (next_reduced == reduced.size()) reduced.push_back(reduce_over(stage, input->type().shape()[d]));
      from.push_back(reduced[next_reduced++]);
    }
    const ElementType type = i.type().element();
    e.recompute(placed.node->recomputed);
    parts.push_back(build_monoid(*context_.graph, i.combinator(), type, *context_.diagnostics));
    parts.back().inputs = build_contribution(e, i.combinator(), type, e.emit_element(input, from));
  }
  stage.reduction = parts.size() == 1 ? parts[0] : side_by_side(parts);
  e.begin_epilogue();
  std::vector<ScalarId> results;
  std::uint32_t component = 0;
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    const Instruction& i = *as_instruction(nodes[n].node->value);
    e.recompute(nodes[n].node->recomputed);
    results.push_back(
        build_result(e, *stage.reduction, i.combinator(), i.type().element(), i.operand(1), component));
    component += static_cast<std::uint32_t>(parts[n].types.size());
  }
  return results;
}

ScalarId StageBuilder::emit_scan(Stage& stage, ScalarEmitter& e, const Instruction& i, const Indices& at) {
  order(stage, at[dlvm::Scan(i).axis()]);
  const ElementType type = i.type().element();
  stage.reduction = build_monoid(*context_.graph, i.combinator(), type, *context_.diagnostics);
  stage.reduction->inputs = build_contribution(e, i.combinator(), type, e.emit_element(i.operand(0), at));
  e.begin_epilogue();
  return build_result(e, *stage.reduction, i.combinator(), type, nullptr);
}

ScalarId StageBuilder::emit_recurrence(Stage& stage, ScalarEmitter& e, const Instruction& i,
                                       const Indices& at) {
  const dlvm::Recurrence view(i);
  order(stage, at[view.axis()]);
  stage.reduction = build_recurrence_monoid(*context_.graph, i.type().element(), *context_.diagnostics);
  const ElementType wide = stage.reduction->types[0];
  const ScalarId factor = e.convert(e.emit_element(view.factors(), at), wide),
                 term = e.convert(e.emit_element(view.terms(), at), wide);
  stage.reduction->inputs = {factor, term};
  e.begin_epilogue();
  return e.convert(e.emit_state(1, wide), i.type().element());
}

ScalarId StageBuilder::emit_extremum(Stage& stage, ScalarEmitter& e, const Instruction& i,
                                     const Indices& at) {
  const Value* input = i.operand(0);
  const std::size_t axis = dlvm::ArgExtremum(i).axis();
  const Extent& extent = input->type().shape()[axis];
  Indices from = at;
  const Index along = reduce_over(stage, extent);
  from.insert(from.begin() + static_cast<std::ptrdiff_t>(axis), along);
  stage.reduction = build_extremum_monoid(*context_.graph, i.opcode() == Opcode::argmax,
                                          input->type().element(), *context_.diagnostics);
  const ScalarId value = e.emit_element(input, from);
  stage.reduction->inputs = {value, e.emit_position(along, ElementType::i32)};
  e.begin_epilogue();
  const ScalarId found = e.emit_state(1, ElementType::i32);
  if (provably_at_most(1, extent) == dlvm::Proof::yes) return found;
  // The position in an empty axis is 0.
  const ScalarId none = e.emit_literal(stage.reduction->identity[1]),
                 zero = e.emit_literal(dlvm::Tensor(ElementType::i32, {}));
  const ScalarId empty = e.emit_operation(Opcode::equal, ElementType::boolean, {found, none});
  return e.emit_operation(Opcode::select, ElementType::i32, {zero, found, empty});
}

ScalarId StageBuilder::emit_contraction(Stage& stage, ScalarEmitter& e, const Instruction& i,
                                        const Indices& at) {
  const dlvm::DotAxes axes = dlvm::Dot(i).axes();
  const Value *left = i.operand(0), *right = i.operand(1);
  Indices l(left->type().rank()), r(right->type().rank());
  Contraction c;
  std::size_t next = 0;
  const auto take = [&](std::vector<AxisId>& group) {
    if (const auto axis = lone_axis(at[next])) group.push_back(*axis);
    return at[next++];
  };
  for (const auto& [a, b] : axes.batch) l[position(a)] = r[position(b)] = take(c.batch);
  for (const auto a : axes.left_free) l[position(a)] = take(c.m);
  for (const auto b : axes.right_free) r[position(b)] = take(c.n);
  for (const auto& [a, b] : axes.contract) {
    if (first_.accumulated) stage.accumulated = {*first_.accumulated};
    c.k.push_back(first_.accumulated ? *first_.accumulated
                                     : add_axis(stage, left->type().shape()[position(a)], AxisKind::reduced));
    l[position(a)] = r[position(b)] = axis_index(c.k.back());
  }
  const ElementType type = i.type().element(), wide = accumulator(type);
  c.left = e.convert(e.emit_element(left, l), wide);
  c.right = e.convert(e.emit_element(right, r), wide);
  const ScalarId factor = c.left;
  return sum_products(stage, e, std::move(c), factor, type);
}

ScalarId StageBuilder::sum_products(Stage& stage, ScalarEmitter& e, Contraction c, ScalarId left,
                                    ElementType type) {
  const ScalarId product = e.emit_operation(Opcode::multiply, accumulator(type), {left, c.right});
  const dlvm::Combinator add{Opcode::add, nullptr};
  stage.reduction = build_monoid(*context_.graph, add, type, *context_.diagnostics);
  stage.reduction->inputs = {product};
  stage.contraction = std::move(c);
  e.begin_epilogue();
  return build_result(e, *stage.reduction, add, type, nullptr);
}

}  // namespace codegen::kernel
