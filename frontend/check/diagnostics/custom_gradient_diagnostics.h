// The mistakes with custom gradients of functions: TEL-E054x.
#pragma once

#include "dlvm/support/diagnostic.h"

namespace frontend::check {

using dlvm::DiagnosticKind;
using enum dlvm::Severity;  // error, warning

inline constexpr DiagnosticKind custom_of_nothing{
    "TEL-E0540", error, "'{name}' is no function of this file that could have a custom gradient",
    "custom gradient f(x, dy) { ... } replaces the derivative of the function f, and stands in the same "
    "file. "
    "Functions of nets have none: let them call a function outside of the net."};
inline constexpr DiagnosticKind custom_parameters{
    "TEL-E0541", error, "the custom gradient of '{function}' has {count}, and needs {number}: {names}",
    "A custom gradient names what the function takes, in the same order, and then the cotangent of each "
    "floating-point result. Their types follow from the function. The note shows its signature."};
inline constexpr DiagnosticKind custom_undeclared{
    "TEL-E0542", error, "'{function}' has a custom gradient, and does not declare the type of its result",
    "The types of the cotangents are those of the results, which the signature says."};
inline constexpr DiagnosticKind custom_not_possible{
    "TEL-E0543", error, "'{function}' cannot have a custom gradient: {reason}",
    "A function with a custom gradient takes and returns tensors, of which at least one each is "
    "floating-point."};
inline constexpr DiagnosticKind custom_of_several{
    "TEL-E0544", error, "which function '{function}' the custom gradient is of cannot be told",
    "Several functions have the name, and more than one of them fits the number of names. Give the functions "
    "different names."};
inline constexpr DiagnosticKind custom_twice{
    "TEL-E0545", error, "'{function}' has two custom gradients",
    "A function has one derivative. Leave one of the declarations out."};
inline constexpr DiagnosticKind custom_draws{
    "TEL-E0546", error, "'{function}' has a custom gradient, and {what} draws random numbers",
    "The gradient would have to draw the numbers that the function drew. Draw them outside, and pass them to "
    "the function as an argument."};
inline constexpr DiagnosticKind custom_of_element{
    "TEL-E0547", error, "'{function}' has a custom gradient, and cannot be called for each element",
    "In index notation the body of a function is taken for each element at once, and its derivative would be "
    "that of the body. Call the function with whole tensors, and use the elements of its result."};
inline constexpr DiagnosticKind custom_of_itself{
    "TEL-E0582", error, "the custom gradient of '{function}' takes a gradient through '{function}' itself",
    "That gradient would need the custom gradient of which it is a part, and so on without end. A function "
    "that "
    "has none can be called from both, and its gradient can be taken."};

}  // namespace frontend::check
