#pragma once

#include <optional>

#include "codegen/kernel/ir/kernel.h"

namespace codegen::kernel {

/// Returns a kernel that computes the same in one pass over the columns of its rows, so that no row is kept:
/// the maximum m of x(j), and sums of exp(x(j) - s(m)) g(j) that come after it, become one reduction, whose
/// state is the maximum so far and the sums of exp(x(j) - m) g(j) for it. Where the maximum grows from a to
/// b, the sums are multiplied by exp(a - b) (M. Milakov, N. Gimelshein: Online normalizer calculation for
/// softmax, 2018; T. Dao et al.: FlashAttention, 2022). Factors of a sum that do not depend on j are applied
/// to its result, as the division by the sum of the exponentials.
///
/// The columns become the axis of a block within the one of the rows: its stages are the contraction from
/// which x is computed, and one that accumulates. Returns nothing unless
///  - the kernel's stages are a contraction, a maximum of what is computed from it, sums, and what computes
///    their elements;
///  - the last sum is a contraction over the same rows, and it alone has further axes and is stored;
///  - nothing else reads what belongs to a column or is a maximum or sum;
///  - sums are float32;
///  - there are more than 128 columns, or it is not known how many: shorter rows are kept without loss.
/// Scores that are 16-bit floats are rounded as before, and what is computed from them is float32.
std::optional<Kernel> combine_online(const Kernel& kernel);

}  // namespace codegen::kernel
