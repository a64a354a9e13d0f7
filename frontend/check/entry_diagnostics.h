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
    "TEL-E0402", error, "two entry points are named '{}'",
    "forward, evaluate and gradient come from the module's outs and losses; a further gradient "
    "needs a name of its own."};
inline constexpr DiagnosticKind not_differentiable{
    "TEL-E0403", error, "'{}' is {}, which has no derivative",
    "Derivatives exist for floating types alone: not for integers and not for bool."};
inline constexpr DiagnosticKind gradient_left_out{
    "TEL-W0503", warning, "there is no entry point 'gradient': {}",
    "Without a loss, gradient is seeded by a cotangent for each floating-point out. It is left "
    "out where no such out has a known derivative by some param."};

}  // namespace frontend::check
