#pragma once

#include "dlvm/ir/module.h"

namespace dlvm {

/// The pass CR. A sum of elements of one product is computed from another product that is there, so that no
/// element of the first one is needed for it:
///
///     sum over j of dot(A, B)[i, j] X[i, j]  →  sum over k of A[i, k] dot(X, B)[i, k]
///
/// where the function has computed dot(X, B) before. If it has dot(X r, B) instead, for an r that is the same
/// for all j, the sum is rewritten where it is multiplied by r. The derivative of softmax(S) • B has such a
/// sum of the cotangent of softmax(S) (T. Dao et al.: FlashAttention, 2022, section B.4). There are no more
/// terms than before, as far as that is known. A zero of A absorbs as one of dot(A, B) did. Floating-point
/// sums are rounded at other places; those of 16-bit floats are computed in float32.
///
/// With `creates`, dot(X, B) is computed for the sum if it is not there. Then it is no less work, but nothing
/// needs all elements of dot(A, B).
bool contraction_reuse(Function& function, bool creates = false);

}  // namespace dlvm
