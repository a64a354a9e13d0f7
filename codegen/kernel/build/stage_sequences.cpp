#include "codegen/kernel/build/stage_builder.h"

#include "codegen/kernel/build/index_facts.h"
#include "dlvm/ir/instruction_views.h"
#include "dlvm/ir/replacement.h"

namespace codegen::kernel {

using dlvm::Instruction;
using dlvm::Value;

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

}  // namespace codegen::kernel
