// The mistakes in entry points: TEL-E04xx.
#pragma once

#include "dlvm/support/diagnostic.h"

namespace frontend::check {

using dlvm::DiagnosticKind;
using enum dlvm::Severity;  // error, warning

inline constexpr DiagnosticKind nothing_to_compile{
    "TEL-E0401", error, "the module has no out, loss or metric: there is nothing to compile",
    "An entry point computes what the module returns. A file of functions, dimensions and constants can be "
    "imported, and checked with telc check."};
inline constexpr DiagnosticKind entry_twice{"TEL-E0402", error, "two entry points are named '{name}'",
                                            "forward, evaluate and gradient come from the module's outs, "
                                            "losses and metrics; a further gradient needs a "
                                            "name of its own."};
inline constexpr DiagnosticKind not_differentiable{"TEL-E0403", error,
                                                   "'{name}' is {type}, which has no derivative",
                                                   "Only floating-point types have derivatives."};
inline constexpr DiagnosticKind derivative_not_known{
    "TEL-E0404", error, "the derivative of {loss} by {name} is not known: {reason}",
    "The differentiated value depends on it through something whose derivative is not known; the note "
    "shows where. An unknown derivative is never taken to be zero. If zero is intended, write "
    "stop_gradient(...) around it."};
inline constexpr DiagnosticKind derivative_of_steps{
    "TEL-E0405", error,
    "{loss} depends on {name} only through steps: the derivative is zero wherever there is one",
    "Rounding, comparisons, argmax, indices and conversions to integers change only in steps and are "
    "constant between them, so that their derivative is zero and nothing can be learnt from it. The note "
    "shows such a step. An accuracy cannot be a loss: take cross_entropy, and declare the accuracy as "
    "a metric. What is not learnt is a const, not a param. If zero is intended, write stop_gradient(...)."};
inline constexpr DiagnosticKind too_many_operations{
    "TEL-E0406", error, "the calls of functions come to {number} operations, more than {limit}",
    "A function is written out at every call of it, and so are the calls inside it. Where each function "
    "calls the next one twice, every level doubles the number of operations. Compute only once what is "
    "used twice: name it in the module, or pass it to a function that uses its parameter twice, func "
    "squared(y: [s...]) -> [s...] = y * y. A "
    "branch or a loop counts as 250 operations."};
inline constexpr DiagnosticKind gradient_left_out{
    "TEL-W0503", warning, "there is no entry point 'gradient': {reason}",
    "Without a loss, gradient takes a cotangent for each floating-point out. It is left out if no such out "
    "has a known derivative by a param."};

inline constexpr DiagnosticKind no_dependence{
    "TEL-W0504", warning, "{loss} does not depend on {name}: the derivative is zero",
    "The value is computed without it, so the derivative is zero, and a param would never be trained. What "
    "is not learnt is a const."};
inline constexpr DiagnosticKind derivative_stopped{
    "TEL-W0505", warning, "{loss} depends on {name} only through stop_gradient: the derivative is zero",
    "Every path from one to the other goes through a stop_gradient, so the derivative is zero, and a param "
    "would never be trained. What is not learnt is a const."};

}  // namespace frontend::check
