#pragma once

#include "dlvm/support/diagnostic.h"

/// The messages of differentiation.
namespace dlvm::differentiation {

inline constexpr DiagnosticKind not_known{
    "DLVM-E0301", Severity::error,
    "the derivative of result {number} of @{function} by {argument} is not known: {reason}",
    "A path from the argument to the result goes through something that has no known derivative: an "
    "instruction without a rule, or an external function without [derivative @g]. The notes show the path. A "
    "derivative that is not known is never taken to be zero; write 'detach' where you mean zero."};
inline constexpr DiagnosticKind only_steps{
    "DLVM-E0302", Severity::error,
    "the derivative of result {number} of @{function} by {argument} is zero wherever it exists: every "
    "path is piecewise constant",
    "The result depends on the argument only through steps: comparisons, rounding, argmax, indices, "
    "conversions to integers. Their derivative is zero wherever there is one, so nothing could be learnt "
    "from "
    "it. The notes show a path."};
inline constexpr DiagnosticKind of_itself{
    "DLVM-E0303", Severity::error, "@{gradient} is declared the gradient of a function that calls it",
    "A function that uses its own derivative would need derivatives of every order."};
inline constexpr DiagnosticKind illegal{"DLVM-E0304", Severity::error,
                                        "the gradient @{gradient} is not possible: {reason}",
                                        "A gradient declaration names a function with a body, a "
                                        "floating-point result of it, and arguments with "
                                        "floating-point elements alone, each once."};
inline constexpr DiagnosticKind too_large{
    "DLVM-E0305", Severity::error, "the derivative @{gradient} would take more than {number} instructions",
    "Each order of differentiation makes a function several times larger. The limit keeps the compiler from "
    "using all memory."};
inline constexpr DiagnosticKind not_linear{
    "DLVM-E0431", Severity::error,
    "@{gradient} is taken in forward mode through @{function}, whose own derivative is for reverse mode and "
    "cannot be seen to be linear in the cotangents",
    "Forward mode transposes the derivative that a function has of its own, which takes one that is linear "
    "in "
    "the cotangents: sums of them, products with what does not depend on them, and what moves elements. "
    "Clipped cotangents, for instance, have no transpose. Use reverse mode."};
inline constexpr DiagnosticKind independent{
    "DLVM-W0301", Severity::warning,
    "result {number} of @{function} does not depend on {argument}: its derivative is zero",
    "No path leads from the argument to the result, or every path is detached. All its elements are zero."};

inline constexpr DiagnosticKind over_budget{
    "DLVM-W0302", Severity::warning,
    "@{gradient} keeps {number} bytes for its reverse part, and the memory budget is {budget}",
    "What a derivative needs from the steps of a loop, the layers of a network or the ways of a branch is "
    "kept, or computed again from fewer values that are kept. Loops are computed again that work on no "
    "memory and no stack. "
    "The budget is less than what is needed even so."};
inline constexpr DiagnosticKind memory_not_known{
    "DLVM-W0303", Severity::warning,
    "what @{function} keeps for its reverse part is not known, and no memory budget is held: "
    "{reason}",
    "The number of bytes follows from the extents: give them values with -D, or the budget in percent of "
    "what would be kept without one. A loop whose rounds no extent bounds has as many as FUNCTION_steps "
    "says."};

inline constexpr const DiagnosticKind* kinds[]{&not_known,   &only_steps,       &of_itself,
                                               &illegal,     &too_large,        &independent,
                                               &over_budget, &memory_not_known, &not_linear};

}  // namespace dlvm::differentiation
