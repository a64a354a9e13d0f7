// Factors: of the integers that a const stores, and of the loss that `optimize with` differentiates.
#pragma once

#include "dlvm/support/diagnostic.h"

namespace frontend::check {

inline constexpr dlvm::DiagnosticKind scale_of_role{
    "TEL-E0605", dlvm::Severity::error, "'{name}' is {role}, which has no scale",
    "A scale is the factor of the integers that a const stores: W: const int8[4 x 3] scale s. In "
    "expressions, W is a floating-point tensor, the integers times the scale. What is computed or trained is "
    "multiplied where it is used."};
inline constexpr dlvm::DiagnosticKind scale_of_type{
    "TEL-E0606", dlvm::Severity::error, "'{name}' is {type}, and only integers have a scale",
    "A scale is the factor of integers, which are stored: W: const int8[4 x 3] scale s."};
inline constexpr dlvm::DiagnosticKind scale_form{
    "TEL-E0607", dlvm::Severity::error,
    "the scale of '{name}' is {what}, not a number or the name of a value here",
    "A scale is a number, scale 0.01, or the name of a floating-point value: of one number, or of one for "
    "each row or column. A computed scale is declared first: s: const = 1 / 127."};
inline constexpr dlvm::DiagnosticKind scale_type{
    "TEL-E0608", dlvm::Severity::error, "the scale of '{name}' is {type}, which is not floating-point",
    "The integers that are stored are converted to the element type of their scale, and multiplied by it."};
inline constexpr dlvm::DiagnosticKind scale_shape{
    "TEL-E0609", dlvm::Severity::error,
    "the scale {scale} does not stretch to {shape}, the shape of '{name}'",
    "A scale stretches like the operand of a product: [] is one factor for all elements, [m] one for each "
    "column of [n x m], and [n x 1] one for each row."};
inline constexpr dlvm::DiagnosticKind scaling_type{
    "TEL-E0610", dlvm::Severity::error, "the scaling of the loss is {type}, not a floating-point scalar",
    "The loss is multiplied by one number before it is differentiated, and its derivatives are divided by "
    "it: scaling 1024. With `scaling dynamic` the factor follows the derivatives."};
inline constexpr dlvm::DiagnosticKind scaling_argument{
    "TEL-E0611", dlvm::Severity::error, "'dynamic' has no setting {name}",
    "The settings of dynamic scaling, with their defaults, are initial: 65536, growth: 2, backoff: 0.5 and "
    "interval: 2000."};
inline constexpr dlvm::DiagnosticKind scaling_value{
    "TEL-E0612", dlvm::Severity::error, "'{name}' of dynamic scaling must be {wanted}",
    "The factor begins with `initial`. It is multiplied by `growth`, at least 1, after `interval` steps with "
    "finite derivatives, and by `backoff`, less than 1, after a step without."};
inline constexpr dlvm::DiagnosticKind scale_zero{"TEL-E0650", dlvm::Severity::error,
                                                 "the scale of '{name}' is {number}",
                                                 "A const with a scale is its integers times the scale. With "
                                                 "a scale of 0 all of its elements are 0, whatever "
                                                 "integers are stored."};
inline constexpr dlvm::DiagnosticKind scaling_not_positive{
    "TEL-E0651", dlvm::Severity::error, "the scaling of the loss is {number}, not above 0",
    "The loss is multiplied by this number before it is differentiated, and its derivatives are divided by "
    "it "
    "afterwards. It is above 0: scaling 1024."};

}  // namespace frontend::check
