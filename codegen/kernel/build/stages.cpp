#include "codegen/kernel/build/stages.h"

#include <algorithm>

#include "codegen/kernel/build/stage_builder.h"
#include "dlvm/ir/instruction_views.h"

namespace codegen::kernel {

using dlvm::as_instruction;
using dlvm::Instruction;
using dlvm::Integers;
using dlvm::Opcode;
using dlvm::Value;

namespace {

bool contains(const Integers& axes, std::size_t axis) {
  return std::find(axes.begin(), axes.end(), static_cast<std::int64_t>(axis)) != axes.end();
}

/// Returns the materialized instruction of `must_materialize` that computes the node; null where it is
/// elements alone.
const Instruction* own_stage(const Graph& graph, const Node& node) {
  const Instruction* i = node.copy ? nullptr : as_instruction(node.value);
  return i != nullptr && must_materialize(graph, *i) ? i : nullptr;
}

void add_locations(Stage& stage, const Value* value) {
  const Instruction* i = as_instruction(value);
  if (i == nullptr) return;
  for (const auto& location : i->locations())
    if (std::find(stage.locations.begin(), stage.locations.end(), location) == stage.locations.end())
      stage.locations.push_back(location);
}

std::string name_of(const Node& node) {
  const Instruction* i = node.copy ? nullptr : as_instruction(node.value);
  return i == nullptr ? "copy" : std::string(i->definition().name);
}

}  // namespace

/// A stage on the first node's axes that are not outer.
Stage StageBuilder::begin(std::string name) const {
  Stage stage;
  stage.name = std::move(name);
  for (std::size_t a = 0; a < first_.axes.size(); ++a)
    if (!outer_[a])
      stage.axes.push_back({first_.axes[a], "", first_.node->axes[a].extent, AxisKind::parallel});
  return stage;
}

AxisId StageBuilder::add_axis(Stage& stage, const Extent& extent, AxisKind kind) {
  const auto id = static_cast<AxisId>(context_.extents.size());
  context_.extents.push_back(extent);
  stage.axes.push_back({id, "", extent, kind});
  return id;
}

Index StageBuilder::run(Stage& stage, const Extent& extent) {
  return extent.is(1) ? Index() : axis_index(add_axis(stage, extent, AxisKind::parallel));
}

void StageBuilder::store(Stage& stage, const Node& node, const Indices& at, ScalarId value) {
  if (auto access = context_.store(node, at)) stage.stores.push_back({std::move(*access), {}, value, {}});
}

void StageBuilder::finish(Stage& stage, ScalarEmitter& emitter) {
  std::tie(stage.body, stage.epilogue) = emitter.take();
}

std::vector<Stage> StageBuilder::build(const std::vector<PlacedNode>& nodes) {
  const Instruction* own = own_stage(*context_.graph, *first_.node);
  std::vector<Stage> stages;
  if (own != nullptr && own->opcode() == Opcode::concatenate)
    stages = build_concatenation(*own);
  else if (own != nullptr && own->opcode() == Opcode::scatter)
    stages = build_scatter(*own);
  else if (own != nullptr && own->opcode() == Opcode::argsort)
    stages = build_sort(*own);
  else if (own != nullptr && is_divided_window(*context_.graph, *own))
    stages = build_windows(*own);
  else
    stages.push_back(build_computed(nodes));
  for (const PlacedNode& placed : nodes) add_locations(stages.back(), placed.node->value);
  return stages;
}

Stage StageBuilder::build_computed(const std::vector<PlacedNode>& nodes) {
  Stage stage = begin(name_of(*first_.node));
  ScalarEmitter e = make_emitter();
  const auto is_reduction = [&](const PlacedNode& placed) {
    const Instruction* own = own_stage(*context_.graph, *placed.node);
    return own != nullptr && own->opcode() == Opcode::reduce;
  };
  const auto finish_node = [&](const PlacedNode& placed, ScalarId value) {
    const Indices at = element_indices(*placed.node, placed.axes);
    if (!placed.node->copy) e.define(placed.node->value, at, value);
    store(stage, *placed.node, at, value);
  };
  std::vector<PlacedNode> reductions, others;
  for (const PlacedNode& placed : nodes) (is_reduction(placed) ? reductions : others).push_back(placed);
  if (!reductions.empty()) {
    const std::vector<ScalarId> results = emit_reductions(stage, e, reductions);
    for (std::size_t r = 0; r < reductions.size(); ++r) finish_node(reductions[r], results[r]);
  } else {
    e.recompute(first_.node->recomputed);
    finish_node(first_, emit_first_value(stage, e, element_indices(*first_.node, first_.axes)));
    others.erase(others.begin());
  }
  for (const PlacedNode& placed : others) {
    const Node& node = *placed.node;
    const Indices at = element_indices(node, placed.axes);
    e.recompute(node.recomputed);
    finish_node(placed, node.copy ? e.emit_element(node.value, at) : e.emit_definition(node.value, at));
  }
  finish(stage, e);
  return stage;
}

ScalarId StageBuilder::emit_first_value(Stage& stage, ScalarEmitter& e, const Indices& at) {
  const Node& node = *first_.node;
  if (node.copy) return e.emit_element(node.value, at);
  const Instruction* own = own_stage(*context_.graph, node);
  if (own == nullptr) return e.emit_definition(node.value, at);
  if (own->opcode() == Opcode::scan) return emit_scan(stage, e, *own, at);
  if (own->opcode() == Opcode::recurrence) return emit_recurrence(stage, e, *own, at);
  if (own->opcode() == Opcode::dot) return emit_contraction(stage, e, *own, at);
  if (own->opcode() == Opcode::reduceWindow)
    return emit_window(stage, e, *own, undivided(dlvm::ReduceWindow(*own).axes()), at);
  if (own->opcode() == Opcode::convolve)
    return emit_convolution(stage, e, *own, undivided(dlvm::Convolve(*own).axes()),
                            {at[0], Index(), at[1], Indices(at.begin() + 2, at.end())});
  return emit_extremum(stage, e, *own, at);
}

Indices element_indices(const Node& node, const std::vector<AxisId>& axes) {
  Indices at(node.value->type().rank());
  for (std::size_t a = 0; a < node.axes.size(); ++a) at[node.axes[a].dimension] = axis_index(axes[a]);
  return at;
}

std::vector<Stage> build_stages(StageContext& context, const std::vector<PlacedNode>& nodes,
                                const std::vector<bool>& outer) {
  return StageBuilder(context, nodes[0], outer).build(nodes);
}

namespace {

/// Returns the contraction's axes. Those of the node are the first ones, of which there are `count`.
Node::Product product_of(const Stage& stage, std::size_t count) {
  Node::Product product;
  const Contraction& c = *stage.contraction;
  for (const Axis& axis : stage.axes) {
    const auto is_of = [&](const std::vector<AxisId>& group) {
      return std::ranges::find(group, axis.id) != group.end();
    };
    if (axis.id < count && is_of(c.batch)) product.batch.push_back(axis.id);
    if (axis.id < count && is_of(c.m)) product.rows.push_back(axis.id);
    if (axis.id < count && is_of(c.n)) product.columns.push_back(axis.id);
    if (is_of(c.m)) product.row_count = product.row_count * axis.extent;
    if (is_of(c.n)) product.column_count = product.column_count * axis.extent;
    if (is_of(c.k)) product.terms = product.terms * axis.extent;
  }
  return product;
}

}  // namespace

Node analyse(const Graph& graph, const Value* value, bool copy, dlvm::Diagnostics& diagnostics,
             std::set<const Value*> recomputed) {
  Node node;
  node.recomputed = std::move(recomputed);
  node.value = value;
  node.copy = copy;
  const Shape& shape = value->type().shape();
  StageContext context;
  const Instruction* own = own_stage(graph, node);
  for (std::size_t d = 0; d < shape.size(); ++d) {
    if (shape[d].is(1)) continue;
    const bool ordered = own != nullptr &&
                         (own->opcode() == Opcode::scan || own->opcode() == Opcode::concatenate ||
                          own->opcode() == Opcode::recurrence) &&
                         contains(own->axes(), d);
    node.axes.push_back({d, shape[d], !ordered});
    context.extents.push_back(shape[d]);
  }
  const auto is = [&](Opcode opcode) { return own != nullptr && own->opcode() == opcode; };
  const bool divided_window = own != nullptr && is_divided_window(graph, *own);
  node.divided = is(Opcode::concatenate) || is(Opcode::scatter) || is(Opcode::argsort) || divided_window;
  node.alone =
      is(Opcode::dot) || is(Opcode::scatter) || is(Opcode::argsort) || is(Opcode::convolve) || divided_window;
  node.pointwise = own == nullptr;
  node.sibling = is(Opcode::reduce) && own->combinator().function == nullptr &&
                 combines_in_any_order(own->combinator().opcode);
  if (node.alone && node.divided)
    for (auto& axis : node.axes) axis.shared = false;

  context.graph = &graph;
  context.diagnostics = &diagnostics;
  context.locate = [&](const Value* used, const Indices& at) {
    node.uses.push_back({used, at});
    return Access{0, at};
  };
  context.store = [](const Node&, const Indices&) { return std::nullopt; };
  context.site = [](const Instruction&) { return 0u; };
  context.scratch = [](std::string_view, ElementType, const Shape&) { return BufferId(); };
  PlacedNode placed{&node, {}};
  for (AxisId a = 0; a < node.axes.size(); ++a) placed.axes.push_back(a);
  for (const Stage& stage : build_stages(context, {placed}, std::vector<bool>(node.axes.size()))) {
    node.scalars += stage.body.size() + stage.epilogue.size();
    if (is(Opcode::dot)) {
      node.product = product_of(stage, node.axes.size());
      node.product->has_batch = !dlvm::Dot(*own).axes().batch.empty();
    }
    for (const Axis& axis : stage.axes)
      if (axis.kind == AxisKind::reduced) node.reduced.push_back(axis.extent);
  }
  return node;
}

}  // namespace codegen::kernel
