#pragma once

#include <span>

#include "codegen/kernel/ir/kernel.h"

/// Facts about the bounds within which scalars are computed.
namespace codegen::kernel {

/// Returns whether `bound` is proved to hold at every point at which all of `known` hold.
bool provably_follows(const Bound& bound, std::span<const Bound> known, AxisExtents axes);

/// Returns whether the scalar is the literal zero, positive zero or false.
bool is_zero(const Scalar& scalar);

/// Returns whether the scalar is proved to be positive zero or false wherever `bound` does not hold.
/// `scalars` are those of its stage up to it. The proof goes through at most `most_selects` nested selects,
/// because it may visit shared ones several times.
bool provably_zero_outside(const Bound& bound, ScalarId scalar, std::span<const Scalar> scalars,
                           AxisExtents axes, int most_selects = 4);

}  // namespace codegen::kernel
