#pragma once

#include "codegen/kernel/build/scalar_emitter.h"

namespace codegen::kernel {

/// Returns the monoid of a combinator on elements of a type. For an instruction it is the instruction's
/// monoid in the accumulator's type. For a function, whose identity is not known, the state is a pair:
/// whether there is a value, and the value.
Reduction build_monoid(const Graph& graph, const dlvm::Combinator& combinator, ElementType type,
                       dlvm::Diagnostics& diagnostics);

/// Returns the monoid of affine maps s -> factor s + term, whose state is a pair: (factor, term). A zero
/// absorbs whatever it is multiplied with.
Reduction build_recurrence_monoid(const Graph& graph, ElementType type, dlvm::Diagnostics& diagnostics);

/// Returns the monoid of the largest or smallest value and its position. NaN precedes all other values, and
/// among equal values the first one wins.
Reduction build_extremum_monoid(const Graph& graph, bool largest, ElementType type,
                                dlvm::Diagnostics& diagnostics);

/// Returns the monoid of a maximum and `sums` sums for it, without inputs: the sums of a state with the
/// smaller maximum a are multiplied by exp(a - b) where b is the larger one. A state whose maximum is -inf
/// counts nothing, whatever its sums are.
Reduction build_weighted_sums_monoid(std::size_t sums, ElementType type);

/// Emits the state that `element` contributes to the monoid of `combinator`, and returns its components.
std::vector<ScalarId> build_contribution(ScalarEmitter& emitter, const dlvm::Combinator& combinator,
                                         ElementType type, ScalarId element);

/// Emits, in the epilogue, the combination of the points, with `init` before them if it is neither null nor
/// the identity, and returns it. The combinator's components are those from `first_component` on.
ScalarId build_result(ScalarEmitter& emitter, const Reduction& reduction, const dlvm::Combinator& combinator,
                      ElementType type, const dlvm::Value* init, std::uint32_t first_component = 0);

}  // namespace codegen::kernel
