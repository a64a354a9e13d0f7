#include "codegen/kernel/build/stage_builder.h"

#include <fmt/format.h>

#include <algorithm>

#include "codegen/kernel/build/index_facts.h"
#include "codegen/kernel/build/monoid.h"
#include "codegen/kernel/build/window_parts.h"
#include "dlvm/ir/instruction_views.h"
#include "dlvm/ir/replacement.h"

namespace codegen::kernel {
namespace {

using dlvm::as_instruction;
using dlvm::Instruction;
using dlvm::Integers;
using dlvm::Opcode;
using dlvm::Value;

std::size_t position(std::int64_t axis) { return static_cast<std::size_t>(axis); }

bool contains(const Integers& axes, std::size_t axis) {
  return std::find(axes.begin(), axes.end(), static_cast<std::int64_t>(axis)) != axes.end();
}

/// Returns the materialized instruction of `must_materialize` that computes the node; null where it is
/// elements alone.
const Instruction* own_stage(const Graph& graph, const Node& node) {
  const Instruction* i = node.copy ? nullptr : as_instruction(node.value);
  return i != nullptr && must_materialize(graph, *i) ? i : nullptr;
}

/// A point of a convolution's result: its batch element, group, filter of the group, and spatial positions.
struct ConvolutionPoint {
  Index batch, group, filter;
  Indices positions;
};

class StageBuilder {
 public:
  StageBuilder(StageContext& context, const PlacedNode& first, const std::vector<bool>& outer)
      : context_(context), first_(first), outer_(outer) {}

  std::vector<Stage> build(const std::vector<PlacedNode>& nodes);

 private:
  ScalarEmitter make_emitter() {
    return ScalarEmitter(*context_.graph, context_.extents, context_.locate, context_.site,
                         *context_.diagnostics);
  }
  Stage begin(std::string name) const;
  AxisId add_axis(Stage& stage, const Extent& extent, AxisKind kind);
  /// A new parallel axis, or the index 0 where the extent is 1.
  Index run(Stage& stage, const Extent& extent);
  Index reduce_over(Stage& stage, const Extent& extent) {
    return axis_index(add_axis(stage, extent, AxisKind::reduced));
  }
  void store(Stage& stage, const Node& node, const Indices& at, ScalarId value);
  void finish(Stage& stage, ScalarEmitter& emitter);

  Stage build_computed(const std::vector<PlacedNode>& nodes);
  ScalarId emit_first_value(Stage& stage, ScalarEmitter& emitter, const Indices& at);
  ScalarId emit_reduction(Stage& stage, ScalarEmitter& emitter, const Instruction& i, const Indices& at);
  ScalarId emit_scan(Stage& stage, ScalarEmitter& emitter, const Instruction& i, const Indices& at);
  ScalarId emit_recurrence(Stage& stage, ScalarEmitter& emitter, const Instruction& i, const Indices& at);
  ScalarId emit_extremum(Stage& stage, ScalarEmitter& emitter, const Instruction& i, const Indices& at);
  ScalarId emit_contraction(Stage& stage, ScalarEmitter& emitter, const Instruction& i, const Indices& at);
  std::vector<Stage> build_concatenation(const Instruction& i);
  std::vector<Stage> build_scatter(const Instruction& i);
  std::vector<Stage> build_sort(const Instruction& i);
  std::vector<Stage> build_windows(const Instruction& i);
  Stage build_window_part(const Instruction& i, const WindowParts& parts);
  WindowSource meet_taps(Stage& stage, const WindowParts& parts, std::span<const Index> positions,
                         std::vector<Index>& taps);
  ScalarId emit_convolution(Stage& stage, ScalarEmitter& emitter, const Instruction& i,
                            const WindowParts& parts, const ConvolutionPoint& point);
  ScalarId emit_window(Stage& stage, ScalarEmitter& emitter, const Instruction& i, const WindowParts& parts,
                       const Indices& at);

  StageContext& context_;
  const PlacedNode& first_;
  const std::vector<bool>& outer_;
};

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

void add_locations(Stage& stage, const Value* value) {
  const Instruction* i = as_instruction(value);
  if (i == nullptr) return;
  for (const auto& location : i->locations())
    if (std::find(stage.locations.begin(), stage.locations.end(), location) == stage.locations.end())
      stage.locations.push_back(location);
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

std::string name_of(const Node& node) {
  const Instruction* i = node.copy ? nullptr : as_instruction(node.value);
  return i == nullptr ? "copy" : std::string(i->definition().name);
}

Stage StageBuilder::build_computed(const std::vector<PlacedNode>& nodes) {
  Stage stage = begin(name_of(*first_.node));
  ScalarEmitter e = make_emitter();
  e.recompute(first_.node->recomputed);
  const Indices at = element_indices(*first_.node, first_.axes);
  const ScalarId value = emit_first_value(stage, e, at);
  if (!first_.node->copy) e.define(first_.node->value, at, value);
  store(stage, *first_.node, at, value);
  for (std::size_t n = 1; n < nodes.size(); ++n) {
    const Node& node = *nodes[n].node;
    const Indices own = element_indices(node, nodes[n].axes);
    e.recompute(node.recomputed);
    const ScalarId scalar = node.copy ? e.emit_element(node.value, own) : e.emit_definition(node.value, own);
    if (!node.copy) e.define(node.value, own, scalar);
    store(stage, node, own, scalar);
  }
  finish(stage, e);
  return stage;
}

ScalarId StageBuilder::emit_first_value(Stage& stage, ScalarEmitter& e, const Indices& at) {
  const Node& node = *first_.node;
  if (node.copy) return e.emit_element(node.value, at);
  const Instruction* own = own_stage(*context_.graph, node);
  if (own == nullptr) return e.emit_definition(node.value, at);
  if (own->opcode() == Opcode::reduce) return emit_reduction(stage, e, *own, at);
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

ScalarId StageBuilder::emit_reduction(Stage& stage, ScalarEmitter& e, const Instruction& i,
                                      const Indices& at) {
  const Value* input = i.operand(0);
  Indices from;
  std::size_t next = 0;
  for (std::size_t d = 0; d < input->type().rank(); ++d)
    from.push_back(contains(i.axes(), d) ? reduce_over(stage, input->type().shape()[d]) : at[next++]);
  const ElementType type = i.type().element();
  stage.reduction = build_monoid(*context_.graph, i.combinator(), type, *context_.diagnostics);
  stage.reduction->inputs = build_contribution(e, i.combinator(), type, e.emit_element(input, from));
  e.begin_epilogue();
  return build_result(e, *stage.reduction, i.combinator(), type, i.operand(1));
}

void order(Stage& stage, const Index& at) {
  const auto along = lone_axis(at);
  for (Axis& axis : stage.axes)
    if (along && axis.id == *along) axis.kind = AxisKind::ordered;
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
  // Of no elements: 0.
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
    c.k.push_back(add_axis(stage, left->type().shape()[position(a)], AxisKind::reduced));
    l[position(a)] = r[position(b)] = axis_index(c.k.back());
  }
  const ElementType type = i.type().element(), wide = accumulator(type);
  c.left = e.convert(e.emit_element(left, l), wide);
  c.right = e.convert(e.emit_element(right, r), wide);
  const ScalarId product = e.emit_operation(Opcode::multiply, wide, {c.left, c.right});
  const dlvm::Combinator add{Opcode::add, nullptr};
  stage.reduction = build_monoid(*context_.graph, add, type, *context_.diagnostics);
  stage.reduction->inputs = {product};
  stage.contraction = std::move(c);
  e.begin_epilogue();
  return build_result(e, *stage.reduction, add, type, nullptr);
}

/// A stage for each operand, which stores into its part of the whole; on axes of its own, but for the outer
/// ones.
std::vector<Stage> StageBuilder::build_concatenation(const Instruction& i) {
  const std::size_t along = dlvm::Concatenate(i).axis();
  const Node& node = *first_.node;
  std::vector<Stage> stages;
  Extent offset;
  for (const Value* operand : i.operands()) {
    const Extent& part = operand->type().shape()[along];
    if (part.is(0) && !i.type().shape()[along].is(0)) continue;
    Stage& stage = stages.emplace_back();
    stage.name = "concatenate";
    Indices from(node.value->type().rank());
    for (std::size_t a = 0; a < node.axes.size(); ++a) {
      const std::size_t d = node.axes[a].dimension;
      if (outer_[a])
        from[d] = axis_index(first_.axes[a]);
      else
        from[d] = run(stage, d == along ? part : node.axes[a].extent);
    }
    Indices at = from;
    at[along] = from[along] + constant_index(offset);
    offset = offset + part;
    ScalarEmitter e = make_emitter();
    store(stage, node, at, e.emit_element(operand, from));
    finish(stage, e);
  }
  return stages;
}

/// The input copied, unless it is updated in place; then the updates in order.
std::vector<Stage> StageBuilder::build_scatter(const Instruction& i) {
  const dlvm::Scatter scatter(i);
  std::vector<Stage> stages;
  const bool in_place = context_.graph->is_update(&i);
  if (!in_place) {
    const Indices all = element_indices(*first_.node, first_.axes);
    stages.push_back(begin("scatter_input"));
    ScalarEmitter e = make_emitter();
    store(stages[0], *first_.node, all, e.emit_element(scatter.input(), all));
    finish(stages[0], e);
  }
  Stage& stage = stages.emplace_back();
  stage.name = "scatter";
  const Value* updates = scatter.updates();
  Indices from;
  for (const Extent& extent : updates->type().shape()) from.push_back(run(stage, extent));
  const std::int64_t axis = scatter.axes()[0];
  const auto begin = from.begin() + axis,
             end = begin + static_cast<std::ptrdiff_t>(scatter.indices()[0]->type().rank());
  ScalarEmitter e = make_emitter();
  std::vector<Bound> bounds;
  const Indices indexed = e.emit_indices(i, 2, axis, i.type().shape(), Indices(begin, end), bounds);
  Indices at(from.begin(), begin);
  at.insert(at.end(), indexed.begin(), indexed.end());
  at.insert(at.end(), end, from.end());
  const ScalarId value = e.emit_element(updates, from);
  auto access = context_.store(*first_.node, at);
  const bool distinct = names_distinct_elements(*context_.graph, i) ||
                        (in_place && as_pointwise(*context_.graph, i).has_value());
  if (access && distinct) {
    ScalarId stored = value;
    if (!replaces(scatter.combinator())) {
      const ScalarId old = e.emit_element(scatter.input(), at);
      stored = e.combine(scatter.combinator(), i.type().element(), old, value);
    }
    stage.stores.push_back({std::move(*access), bounds, stored, {}, true});
  } else if (access) {
    stage.stores.push_back({std::move(*access), bounds, value, scatter.combinator()});
  }
  finish(stage, e);
  return stages;
}

/// The elements of all rows, then the sort, which makes positions of them.
std::vector<Stage> StageBuilder::build_sort(const Instruction& i) {
  const dlvm::Sort view(i);
  const Shape& shape = i.type().shape();
  const ElementType type = view.input()->type().element();
  const BufferId keys = context_.scratch("keys", type, shape);
  std::vector<Stage> stages{begin("keys"), Stage()};
  ScalarEmitter e = make_emitter();
  const Indices all = element_indices(*first_.node, first_.axes);
  stages[0].stores.push_back({{keys, all}, {}, e.emit_element(view.input(), all), {}});
  finish(stages[0], e);
  Stage& stage = stages[1];
  stage.name = "argsort";
  Indices row;
  for (std::size_t d = 0; d < shape.size(); ++d)
    row.push_back(d == view.axis() ? Index() : run(stage, shape[d]));
  if (auto positions = context_.store(*first_.node, row))
    stage.sorting = Sorting{{keys, row},
                            std::move(*positions),
                            static_cast<std::uint32_t>(view.axis()),
                            shape[view.axis()],
                            view.is_descending()};
  return stages;
}

/// Adds an axis for the taps of each part that has several, and returns the elements that they meet.
WindowSource StageBuilder::meet_taps(Stage& stage, const WindowParts& parts, std::span<const Index> positions,
                                     std::vector<Index>& taps) {
  WindowSource source;
  for (std::size_t d = 0; d < parts.size(); ++d) {
    taps.push_back(parts[d].taps.is(1) ? Index() : reduce_over(stage, parts[d].taps));
    meet(parts[d], positions[d], taps.back(), context_.extents, source);
  }
  return source;
}

/// A product of the kernel over the filters and of the input over batch and positions, which are the columns
/// since they are contiguous in the result; summed over channels and taps.
ScalarId StageBuilder::emit_convolution(Stage& stage, ScalarEmitter& e, const Instruction& i,
                                        const WindowParts& parts, const ConvolutionPoint& point) {
  const dlvm::Convolve convolution(i);
  const Shape& kernel_shape = convolution.kernel()->type().shape();
  const Extent filters = *Extent::exact_divide(kernel_shape[0], convolution.groups());
  const Index channel = reduce_over(stage, kernel_shape[1]);
  Indices taps;
  const WindowSource source = meet_taps(stage, parts, point.positions, taps);
  Indices kernel{point.group * filters + point.filter, channel};
  for (std::size_t d = 0; d < parts.size(); ++d) kernel.push_back(parts[d].tap(taps[d]));
  Indices input{point.batch, point.group * kernel_shape[1] + channel};
  input.insert(input.end(), source.indices.begin(), source.indices.end());

  Contraction c;
  const auto add = [](std::vector<AxisId>& group, const Index& index) {
    if (const auto axis = lone_axis(index)) group.push_back(*axis);
  };
  add(c.batch, point.group);
  add(c.m, point.filter);
  add(c.n, point.batch);
  for (const Index& position : point.positions) add(c.n, position);
  add(c.k, channel);
  for (const Index& tap : taps) add(c.k, tap);
  const ElementType type = i.type().element(), wide = accumulator(type);
  const ScalarId zero = e.emit_literal(dlvm::Tensor(type, {}));
  c.left = e.convert(e.emit_element(convolution.kernel(), kernel), wide);
  c.right = e.convert(e.emit_bounded(convolution.input(), input, source.bounds, zero), wide);
  const ScalarId product = e.emit_operation(Opcode::multiply, wide, {c.left, c.right});
  const dlvm::Combinator sum{Opcode::add, nullptr};
  stage.reduction = build_monoid(*context_.graph, sum, type, *context_.diagnostics);
  stage.reduction->inputs = {product};
  stage.contraction = std::move(c);
  e.begin_epilogue();
  return build_result(e, *stage.reduction, sum, type, nullptr);
}

ScalarId StageBuilder::emit_window(Stage& stage, ScalarEmitter& e, const Instruction& i,
                                   const WindowParts& parts, const Indices& at) {
  const dlvm::ReduceWindow window(i);
  const ElementType type = i.type().element();
  Indices taps;
  const WindowSource source = meet_taps(stage, parts, at, taps);
  if (std::ranges::all_of(taps, [](const Index& tap) { return tap.terms.empty(); })) reduce_over(stage, 1);
  stage.reduction = build_monoid(*context_.graph, window.combinator(), type, *context_.diagnostics);
  const ScalarId outside = e.emit_element(window.initial(), {});
  const ScalarId value = e.emit_bounded(window.input(), source.indices, source.bounds, outside);
  stage.reduction->inputs = build_contribution(e, window.combinator(), type, value);
  e.begin_epilogue();
  return build_result(e, *stage.reduction, window.combinator(), type, window.initial());
}

std::vector<Stage> StageBuilder::build_windows(const Instruction& i) {
  std::vector<Stage> stages;
  const auto axes = i.opcode() == Opcode::convolve ? dlvm::Convolve(i).axes() : dlvm::ReduceWindow(i).axes();
  for (const WindowParts& parts : divide(axes)) stages.push_back(build_window_part(i, parts));
  return stages;
}

/// A stage on axes of its own for the result positions of one part. Where no tap meets an element, it stores
/// the value of an empty window.
Stage StageBuilder::build_window_part(const Instruction& i, const WindowParts& parts) {
  Stage stage;
  stage.name = i.definition().name;
  const bool empty = std::ranges::any_of(parts, [](const WindowPart& part) { return part.taps.is(0); });
  ScalarEmitter e = make_emitter();
  Indices at, positions;
  const auto run_positions = [&] {
    for (const WindowPart& part : parts) {
      positions.push_back(run(stage, part.positions));
      at.push_back(part.position(positions.back()));
    }
  };
  ScalarId value = 0;
  if (i.opcode() == Opcode::convolve) {
    const dlvm::Convolve convolution(i);
    const Extent groups = convolution.groups(), filters = *Extent::exact_divide(i.type().shape()[1], groups);
    ConvolutionPoint point{run(stage, i.type().shape()[0]), run(stage, groups), run(stage, filters), {}};
    at = {point.batch, point.group * filters + point.filter};
    run_positions();
    point.positions = positions;
    value = empty ? e.emit_literal(dlvm::Tensor(i.type().element(), {}))
                  : emit_convolution(stage, e, i, parts, point);
  } else {
    run_positions();
    value = empty ? e.emit_element(dlvm::ReduceWindow(i).initial(), {})
                  : emit_window(stage, e, i, parts, positions);
  }
  store(stage, *first_.node, at, value);
  finish(stage, e);
  return stage;
}

}  // namespace

Indices element_indices(const Node& node, const std::vector<AxisId>& axes) {
  Indices at(node.value->type().rank());
  for (std::size_t a = 0; a < node.axes.size(); ++a) at[node.axes[a].dimension] = axis_index(axes[a]);
  return at;
}

std::vector<Stage> build_stages(StageContext& context, const std::vector<PlacedNode>& nodes,
                                const std::vector<bool>& outer) {
  return StageBuilder(context, nodes[0], outer).build(nodes);
}

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
    for (const Axis& axis : stage.axes)
      if (axis.kind == AxisKind::reduced) node.reduced.push_back(axis.extent);
  }
  return node;
}

}  // namespace codegen::kernel
