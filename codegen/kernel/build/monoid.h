#pragma once

#include "codegen/kernel/build/emitter.h"

namespace codegen::kernel {

/// The monoid of a combinator on elements of a type. Of an instruction: its own, in the accumulator's type.
/// Of a function, whose identity is not known: (whether there is a value, the value).
Reduction monoid(const Graph& graph, const dlvm::Combinator& combinator, ElementType type,
                 dlvm::Diagnostics& diagnostics);

/// (value, position): the largest or smallest, NaN before all others, of equals the first.
Reduction extremum_monoid(const Graph& graph, bool largest, ElementType type, dlvm::Diagnostics& diagnostics);

/// What an element contributes to `monoid`.
std::vector<ScalarId> contribution(Emitter& emitter, const dlvm::Combinator& combinator, ElementType type,
                                   ScalarId element);

/// In the epilogue: the combination of the points, with `init` before them where it is not null and not the
/// identity.
ScalarId result(Emitter& emitter, const Reduction& reduction, const dlvm::Combinator& combinator,
                ElementType type, const dlvm::Value* init);

}  // namespace codegen::kernel
