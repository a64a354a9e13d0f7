#include "codegen/kernel/build/stage_builder.h"

#include <algorithm>
#include <cmath>

#include "codegen/kernel/build/index_facts.h"
#include "codegen/kernel/build/monoid.h"
#include "dlvm/ir/instruction_views.h"

namespace codegen::kernel {

using dlvm::Instruction;
using dlvm::Opcode;

namespace {

/// Whether all elements of the value are known, and none is infinite or NaN.
bool is_finite(const Graph& graph, const dlvm::Value* value) {
  if (!dlvm::is_floating(value->type().element())) return true;
  const auto* literal = dlvm::as_literal(graph.resolve(value));
  if (literal == nullptr) return false;
  const dlvm::Tensor& data = literal->data();
  for (std::size_t i = 0; i < data.size(); ++i)
    if (!std::isfinite(data.real(i))) return false;
  return true;
}

}  // namespace

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
  // A tap outside of the input contributes nothing, even where the kernel is infinite or NaN.
  std::optional<ScalarId> inside;
  if (!source.bounds.empty() && !is_finite(*context_.graph, convolution.kernel()))
    inside = e.convert(e.emit_bounded(convolution.kernel(), kernel, source.bounds, zero), wide);
  c.left = e.convert(e.emit_element(convolution.kernel(), kernel), wide);
  c.right = e.convert(e.emit_bounded(convolution.input(), input, source.bounds, zero), wide);
  const ScalarId left = inside.value_or(c.left);
  return sum_products(stage, e, std::move(c), left, type);
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
  for (const auto& [parts, empty] : join_empty_parts(divide(axes)))
    stages.push_back(build_window_part(i, parts, empty));
  return stages;
}

/// A stage on axes of its own for the result positions of one part. Where no tap meets an element, it stores
/// the value of an empty window, as it does for the parts `others`, which have as many positions.
Stage StageBuilder::build_window_part(const Instruction& i, const WindowParts& parts,
                                      const std::vector<WindowParts>& others) {
  Stage stage;
  stage.name = i.definition().name;
  const bool empty = is_empty(parts);
  ScalarEmitter e = make_emitter();
  Indices at, positions;
  const auto run_positions = [&] {
    for (const WindowPart& part : parts) {
      positions.push_back(run(stage, part.positions));
      at.push_back(part.position(positions.back()));
    }
  };
  const auto emit_empty = [&] {
    return i.opcode() == Opcode::convolve ? e.emit_literal(dlvm::Tensor(i.type().element(), {}))
                                          : e.emit_element(dlvm::ReduceWindow(i).initial(), {});
  };
  ScalarId value = 0;
  if (i.opcode() == Opcode::convolve) {
    const dlvm::Convolve convolution(i);
    const Extent groups = convolution.groups(), filters = *Extent::exact_divide(i.type().shape()[1], groups);
    ConvolutionPoint point{run(stage, i.type().shape()[0]), run(stage, groups), run(stage, filters), {}};
    at = {point.batch, point.group * filters + point.filter};
    run_positions();
    point.positions = positions;
    value = empty ? emit_empty() : emit_convolution(stage, e, i, parts, point);
  } else {
    run_positions();
    value = empty ? emit_empty() : emit_window(stage, e, i, parts, positions);
  }
  store(stage, *first_.node, at, value);
  for (const WindowParts& other : others) {
    const std::size_t first = at.size() - other.size();
    for (std::size_t d = 0; d < other.size(); ++d) at[first + d] = other[d].position(positions[d]);
    store(stage, *first_.node, at, emit_empty());
  }
  finish(stage, e);
  return stage;
}

}  // namespace codegen::kernel
