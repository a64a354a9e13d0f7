#include "codegen/kernel/build/monoid.h"

#include "codegen/kernel/build/expressions.h"
#include "dlvm/ir/identity.h"

namespace codegen::kernel {
namespace {

using dlvm::Combinator;
using dlvm::Opcode;
using dlvm::Tensor;

/// An emitter of scalars over states alone.
ScalarEmitter state_emitter(const Graph& graph, dlvm::Diagnostics& diagnostics) {
  static const std::vector<Extent> no_axes;
  return ScalarEmitter(
      graph, no_axes, [](const dlvm::Value*, const Indices&) { return Access(); },
      [](const dlvm::Instruction&) { return 0u; }, diagnostics);
}

bool is_identity(const dlvm::Value* init, const Tensor& identity) {
  const auto* literal = dlvm::as_literal(init);
  if (literal == nullptr || !literal->is_splat()) return false;
  if (dlvm::is_floating(identity.element())) return literal->data().real(0) == identity.real(0);
  return literal->data().integer(0) == identity.integer(0);
}

}  // namespace

Reduction build_monoid(const Graph& graph, const Combinator& combinator, ElementType type,
                       dlvm::Diagnostics& diagnostics) {
  Reduction r;
  ScalarEmitter emitter = state_emitter(graph, diagnostics);
  constexpr ElementType truth = ElementType::boolean;
  if (combinator.function == nullptr) {
    const ElementType wide = accumulator(type);
    r.types = {wide};
    r.identity = {dlvm::identity_of(combinator.opcode, wide)};
    r.named = {combinator.opcode};
    r.any_order = combines_in_any_order(combinator.opcode);
    const ScalarId left = emitter.emit_state(0, wide), right = emitter.emit_state(1, wide);
    r.results = {emitter.emit_operation(combinator.opcode, wide, {left, right})};
  } else {
    r.types = {truth, type};
    r.identity = {Tensor(truth, {}), Tensor(type, {})};
    const ScalarId any_left = emitter.emit_state(0, truth), left = emitter.emit_state(1, type),
                   any_right = emitter.emit_state(2, truth), right = emitter.emit_state(3, type);
    const ScalarId both = emitter.combine(combinator, type, left, right);
    const ScalarId with_left = emitter.emit_operation(Opcode::select, type, {both, left, any_right});
    r.results = {emitter.emit_operation(Opcode::or_, truth, {any_left, any_right}),
                 emitter.emit_operation(Opcode::select, type, {with_left, right, any_left})};
  }
  r.combine = emitter.take().first;
  return r;
}

Reduction build_recurrence_monoid(const Graph& graph, ElementType type, dlvm::Diagnostics& diagnostics) {
  const ElementType wide = accumulator(type);
  Reduction r;
  r.types = {wide, wide};
  r.identity = {Tensor::scalar(wide, 1.0), Tensor::scalar(wide, 0.0)};
  ScalarEmitter e = state_emitter(graph, diagnostics);
  const ScalarId left_factor = e.emit_state(0, wide), left_term = e.emit_state(1, wide),
                 right_factor = e.emit_state(2, wide), right_term = e.emit_state(3, wide);
  const ScalarId passed = e.emit_operation(Opcode::absorbingMultiply, wide, {right_factor, left_term});
  r.results = {e.emit_operation(Opcode::absorbingMultiply, wide, {right_factor, left_factor}),
               e.emit_operation(Opcode::add, wide, {passed, right_term})};
  r.combine = e.take().first;
  return r;
}

Reduction build_extremum_monoid(const Graph& graph, bool largest, ElementType type,
                                dlvm::Diagnostics& diagnostics) {
  constexpr ElementType place = ElementType::i32, truth = ElementType::boolean;
  Reduction r;
  r.types = {type, place};
  r.identity = {dlvm::identity_of(largest ? Opcode::max : Opcode::min, type),
                dlvm::identity_of(Opcode::min, place)};
  r.any_order = true;
  ScalarEmitter e = state_emitter(graph, diagnostics);
  const ScalarId left = e.emit_state(0, type), left_place = e.emit_state(1, place),
                 right = e.emit_state(2, type), right_place = e.emit_state(3, place);
  const auto both = [&](ScalarId a, ScalarId b) { return e.emit_operation(Opcode::and_, truth, {a, b}); };
  const auto either = [&](ScalarId a, ScalarId b) { return e.emit_operation(Opcode::or_, truth, {a, b}); };
  ScalarId beats = e.emit_operation(largest ? Opcode::greaterThan : Opcode::lessThan, truth, {right, left});
  ScalarId ties = e.emit_operation(Opcode::equal, truth, {right, left});
  if (dlvm::is_floating(type)) {
    const ScalarId left_nan = e.emit_operation(Opcode::isNaN, truth, {left});
    const ScalarId right_nan = e.emit_operation(Opcode::isNaN, truth, {right});
    beats = both(e.emit_operation(Opcode::not_, truth, {left_nan}), either(right_nan, beats));
    ties = either(ties, both(left_nan, right_nan));
  }
  const ScalarId earlier = e.emit_operation(Opcode::lessThan, truth, {right_place, left_place});
  const ScalarId take_right = either(beats, both(ties, earlier));
  r.results = {e.emit_operation(Opcode::select, type, {right, left, take_right}),
               e.emit_operation(Opcode::select, place, {right_place, left_place, take_right})};
  r.combine = e.take().first;
  return r;
}

Reduction build_weighted_sums_monoid(std::size_t sums, ElementType type) {
  const std::size_t n = sums + 1;
  Reduction r;
  r.types.assign(n, type);
  r.identity.assign(n, Tensor(type, {}));
  r.identity[0] = dlvm::identity_of(Opcode::max, type);
  r.any_order = true;
  Expressions e;
  for (std::size_t i = 0; i < 2 * n; ++i) e.state(type, i);
  const auto right = static_cast<ScalarId>(n);
  const ScalarId largest = e.operation(Opcode::max, type, {0, right});
  // The maximum itself has the weight 1, also where it is infinite. What belongs to -inf has none: it would
  // be multiplied by 0 later, which infinite sums do not become.
  const ScalarId lowest = e.add({type, Scalar::Literal{r.identity[0]}});
  const auto weight = [&](ScalarId of) {
    const auto select = [&](double value, ScalarId otherwise, ScalarId where) {
      const ScalarId is_there = e.operation(Opcode::equal, ElementType::boolean, {of, where});
      return e.operation(Opcode::select, type, {e.literal(type, value), otherwise, is_there});
    };
    const ScalarId difference = e.operation(Opcode::subtract, type, {of, largest});
    return select(0, select(1, e.operation(Opcode::exp, type, {difference}), largest), lowest);
  };
  const ScalarId of_left = weight(0), of_right = weight(right);
  r.results = {largest};
  for (ScalarId i = 1; i < n; ++i)
    r.results.push_back(e.operation(Opcode::add, type,
                                    {e.operation(Opcode::multiply, type, {i, of_left}),
                                     e.operation(Opcode::multiply, type, {right + i, of_right})}));
  r.combine = std::move(e.all);
  return r;
}

std::vector<ScalarId> build_contribution(ScalarEmitter& emitter, const Combinator& combinator,
                                         ElementType type, ScalarId element) {
  if (combinator.function == nullptr) return {emitter.convert(element, accumulator(type))};
  return {emitter.emit_literal(Tensor::scalar(ElementType::boolean, std::int64_t{1})), element};
}

ScalarId build_result(ScalarEmitter& emitter, const Reduction& reduction, const Combinator& combinator,
                      ElementType type, const dlvm::Value* init, std::uint32_t first_component) {
  if (combinator.function != nullptr) {
    const ScalarId any = emitter.emit_state(first_component, ElementType::boolean),
                   value = emitter.emit_state(first_component + 1, type);
    if (init == nullptr) return value;
    const ScalarId first = emitter.emit_element(init, {});
    return emitter.emit_operation(Opcode::select, type,
                                  {emitter.combine(combinator, type, first, value), first, any});
  }
  const ElementType wide = reduction.types[first_component];
  ScalarId value = emitter.emit_state(first_component, wide);
  if (init != nullptr && !is_identity(init, reduction.identity[first_component]))
    value = emitter.emit_operation(combinator.opcode, wide,
                                   {emitter.convert(emitter.emit_element(init, {}), wide), value});
  return emitter.convert(value, type);
}

}  // namespace codegen::kernel
