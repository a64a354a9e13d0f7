#include "codegen/kernel/build/monoid.h"

#include "dlvm/ir/identity.h"

namespace codegen::kernel {
namespace {

using dlvm::Combinator;
using dlvm::Opcode;
using dlvm::Tensor;

/// An emitter of scalars over states alone.
Emitter state_emitter(const Graph& graph, dlvm::Diagnostics& diagnostics) {
  static const std::vector<Extent> no_axes;
  return Emitter(
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
  Emitter emitter = state_emitter(graph, diagnostics);
  constexpr ElementType truth = ElementType::boolean;
  if (combinator.function == nullptr) {
    const ElementType wide = accumulator(type);
    r.types = {wide};
    r.identity = {dlvm::identity_of(combinator.opcode, wide)};
    r.named = combinator.opcode;
    r.any_order = combines_in_any_order(combinator.opcode);
    const ScalarId left = emitter.state(0, wide), right = emitter.state(1, wide);
    r.results = {emitter.operation(combinator.opcode, wide, {left, right})};
  } else {
    r.types = {truth, type};
    r.identity = {Tensor(truth, {}), Tensor(type, {})};
    const ScalarId any_left = emitter.state(0, truth), left = emitter.state(1, type),
                   any_right = emitter.state(2, truth), right = emitter.state(3, type);
    const ScalarId both = emitter.combined(combinator, type, left, right);
    const ScalarId with_left = emitter.operation(Opcode::select, type, {both, left, any_right});
    r.results = {emitter.operation(Opcode::or_, truth, {any_left, any_right}),
                 emitter.operation(Opcode::select, type, {with_left, right, any_left})};
  }
  r.combine = emitter.take().first;
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
  Emitter e = state_emitter(graph, diagnostics);
  const ScalarId left = e.state(0, type), left_place = e.state(1, place), right = e.state(2, type),
                 right_place = e.state(3, place);
  const auto both = [&](ScalarId a, ScalarId b) { return e.operation(Opcode::and_, truth, {a, b}); };
  const auto either = [&](ScalarId a, ScalarId b) { return e.operation(Opcode::or_, truth, {a, b}); };
  ScalarId beats = e.operation(largest ? Opcode::greaterThan : Opcode::lessThan, truth, {right, left});
  ScalarId ties = e.operation(Opcode::equal, truth, {right, left});
  if (dlvm::is_floating(type)) {
    const ScalarId left_nan = e.operation(Opcode::isNaN, truth, {left});
    const ScalarId right_nan = e.operation(Opcode::isNaN, truth, {right});
    beats = both(e.operation(Opcode::not_, truth, {left_nan}), either(right_nan, beats));
    ties = either(ties, both(left_nan, right_nan));
  }
  const ScalarId earlier = e.operation(Opcode::lessThan, truth, {right_place, left_place});
  const ScalarId take_right = either(beats, both(ties, earlier));
  r.results = {e.operation(Opcode::select, type, {right, left, take_right}),
               e.operation(Opcode::select, place, {right_place, left_place, take_right})};
  r.combine = e.take().first;
  return r;
}

std::vector<ScalarId> build_contribution(Emitter& emitter, const Combinator& combinator, ElementType type,
                                         ScalarId element) {
  if (combinator.function == nullptr) return {emitter.converted(element, accumulator(type))};
  return {emitter.literal(Tensor::scalar(ElementType::boolean, std::int64_t{1})), element};
}

ScalarId build_result(Emitter& emitter, const Reduction& reduction, const Combinator& combinator,
                      ElementType type, const dlvm::Value* init) {
  if (combinator.function != nullptr) {
    const ScalarId any = emitter.state(0, ElementType::boolean), value = emitter.state(1, type);
    if (init == nullptr) return value;
    const ScalarId first = emitter.element(init, {});
    return emitter.operation(Opcode::select, type,
                             {emitter.combined(combinator, type, first, value), first, any});
  }
  const ElementType wide = reduction.types[0];
  ScalarId value = emitter.state(0, wide);
  if (init != nullptr && !is_identity(init, reduction.identity[0]))
    value = emitter.operation(combinator.opcode, wide,
                              {emitter.converted(emitter.element(init, {}), wide), value});
  return emitter.converted(value, type);
}

}  // namespace codegen::kernel
