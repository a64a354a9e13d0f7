// What can be wrong with entry points: TEL-E04xx.
#pragma once

#include "dlvm/diagnostics/diagnostic.h"

namespace frontend::check {

using dlvm::DiagnosticKind;
using enum dlvm::Severity;  // error, warning

inline constexpr DiagnosticKind nothing_to_compile{
    "TEL-E0401", error, "the module has neither an out nor a loss: there is nothing to compile",
    "An entry point computes what the module returns. A file of functions can be imported, and "
    "checked with telc check."};
inline constexpr DiagnosticKind entry_twice{
    "TEL-E0402", error, "two entry points are named '{name}'",
    "forward, evaluate and gradient come from the module's outs and losses; a further gradient "
    "needs a name of its own."};
inline constexpr DiagnosticKind not_differentiable{
    "TEL-E0403", error, "'{name}' is {type}, which has no derivative",
    "Derivatives exist for floating types alone: not for integers and not for bool."};
inline constexpr DiagnosticKind derivative_not_known{
    "TEL-E0404", error, "the derivative of {loss} by {name} is not known: {reason}",
    "What is differentiated depends on it through something that has no known derivative; the note shows "
    "where. A derivative that is not known is never taken to be zero: where zero is meant, write "
    "stop_gradient(...) around it."};
inline constexpr DiagnosticKind derivative_of_steps{
    "TEL-E0405", error,
    "{loss} depends on {name} only through steps: the derivative is zero wherever there is one",
    "Rounding, comparisons, argmax, indices and conversions to integers change only in steps and are "
    "constant "
    "between them, so nothing could be learnt from their derivative. The note shows such a step. An accuracy "
    "cannot be a loss: take cross_entropy, and the accuracy as an out. What is not learnt is a const, not a "
    "param; where zero is meant, write stop_gradient(...)."};
inline constexpr DiagnosticKind too_many_operations{
    "TEL-E0406", error, "the calls of functions come to {number} operations, more than {limit}",
    "A function is written out at every call of it, and so are the calls inside it. Where each function calls "
    "the next one twice, every level doubles the number of operations. Compute what is used twice once: name it "
    "in the module, or pass it to a function that uses its parameter twice, func squared(y: [s...]) -> [s...] = "
    "y * y."};
inline constexpr DiagnosticKind gradient_left_out{
    "TEL-W0503", warning, "there is no entry point 'gradient': {reason}",
    "Without a loss, gradient is seeded by a cotangent for each floating-point out. It is left "
    "out where no such out has a known derivative by some param."};

inline constexpr DiagnosticKind no_dependence{
    "TEL-W0504", warning, "{loss} does not depend on {name}: the derivative is zero",
    "It is computed without it, so its derivative is zeros, and a param is never trained. What is not learnt "
    "is a const."};
inline constexpr DiagnosticKind derivative_stopped{
    "TEL-W0505", warning, "{loss} depends on {name} only through stop_gradient: the derivative is zero",
    "Every way from one to the other goes through a stop_gradient, so the derivative is zeros, and a param "
    "is "
    "never trained. What is not learnt is a const."};

}  // namespace frontend::check
