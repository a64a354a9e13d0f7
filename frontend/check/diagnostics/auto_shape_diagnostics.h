// The mistakes with params that are declared `auto`: TEL-E057x.
#pragma once

#include "dlvm/support/diagnostic.h"

namespace frontend::check {

inline constexpr dlvm::DiagnosticKind auto_uses_disagree{
    "TEL-E0570", dlvm::Severity::error,
    "the uses of '{name}' ask for different shapes: {one shape} and {another}",
    "A param that is declared auto has the shape that follows from its uses. Each of them must be right with "
    "one and the same shape, so that two weights of different shapes are two params."};
inline constexpr dlvm::DiagnosticKind auto_undetermined{
    "TEL-E0571", dlvm::Severity::error, "the shape of '{name}' does not follow from its uses",
    "A param that is declared auto has the one shape with which everything that names it is right. Where "
    "several would do, or some extent could be anything, the shape is written. So it is with the operand of "
    "an elementwise operator, which could be stretched: in x • W + b the shape of b could be [] as well as "
    "[256]. The type of the result, y: out[N x 10] = ..., often says what is missing."};
inline constexpr dlvm::DiagnosticKind auto_depends{
    "TEL-E0572", dlvm::Severity::error, "the shape of '{name}' would be {shape}, which is not constant",
    "What is trained and stored has constant extents. A dimension that the caller chooses, as the number of "
    "rows of a batch, cannot be an extent of a param."};
inline constexpr dlvm::DiagnosticKind auto_unsuitable{
    "TEL-E0573", dlvm::Severity::error, "with no shape of '{name}' is this use of it right",
    "A param that is declared auto has the shape that follows from its uses. The notes say what is wrong "
    "with "
    "the first shapes that were tried, in which ? stands for any extent."};

}  // namespace frontend::check
