#pragma once

#include "dlvm/support/diagnostic.h"

/// The messages of passes other than differentiation.
namespace dlvm::transformation {

inline constexpr DiagnosticKind bad_extents{
    "DLVM-E0401", Severity::error, "@{function} does not take {dimensions}: {reason}",
    "With the given values of its dimensions, the shapes of an instruction of the function do not fit, or a "
    "requirement "
    "of the function does not hold. Give other values, as in -D N=64."};

inline constexpr const DiagnosticKind* kinds[]{&bad_extents};

}  // namespace dlvm::transformation
