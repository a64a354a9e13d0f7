#pragma once

#include "dlvm/support/diagnostic.h"

/// The messages of passes other than differentiation.
namespace dlvm::transformation {

inline constexpr DiagnosticKind bad_extents{
    "DLVM-E0401", Severity::error, "@{function} does not take {dimensions}: {reason}",
    "With the given values of its dimensions, the shapes of an instruction of the function do not fit, or a "
    "requirement "
    "of the function does not hold. Give other values, as in -D N=64."};

inline constexpr DiagnosticKind unknown_dimension{
    "DLVM-W0401", Severity::warning,
    "-D {name}: no function that is called from outside has such a dimension{those that there are}",
    "-D gives a value to a dimension in the types or the shapes of an entry point's function. Another name "
    "changes nothing."};

inline constexpr const DiagnosticKind* kinds[]{&bad_extents, &unknown_dimension};

}  // namespace dlvm::transformation
