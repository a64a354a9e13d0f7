// The mistakes with gradients inside expressions, and with derivatives of functions: TEL-E047x, E048x and
// W0522.
#pragma once

#include "dlvm/support/diagnostic.h"

namespace frontend::check {

using dlvm::DiagnosticKind;
using enum dlvm::Severity;  // error, warning

inline constexpr DiagnosticKind gradient_arguments{
    "TEL-E0470", error, "'gradient' takes a scalar, and the names to differentiate it by",
    "gradient(e, wrt: x) is the derivative of the scalar e by the value named x, of the shape of x; "
    "gradient(e, wrt: (x, t)) gives one by each name."};
inline constexpr DiagnosticKind gradient_of_tensor{
    "TEL-E0471", error, "a gradient is taken of a scalar, not of {type}",
    "The derivative of a scalar by x has the shape of x. Where each element depends on the elements of x in "
    "the same place alone, as that of a network that maps each point for itself, the gradient of the sum "
    "holds the derivative of each: gradient(sum(u), wrt: x)."};
inline constexpr DiagnosticKind wrt_not_name{
    "TEL-E0472", error, "{what} is not the name of a value to differentiate by",
    "A gradient is taken by a value that has a name: an in, a param, a const, a state, an intermediate "
    "value, a parameter of the function, a let or a var. What is computed in the place of the name is a new "
    "value, on which nothing depends."};
inline constexpr DiagnosticKind wrt_structure{
    "TEL-E0635", error, "no gradient by '{name}', {a struct or an enum}: '{field}' is {type}",
    "The gradient by a struct is a struct of the same type, whose fields are the derivatives by its fields. "
    "So "
    "each of them, and of the structs in it, is a floating-point tensor. Otherwise a gradient is taken by "
    "some "
    "of the fields: gradient(e, wrt: (s.x, s.y))."};
inline constexpr DiagnosticKind wrt_large_structure{
    "TEL-E0636", error, "no gradient by '{name}': {struct} has more than {number} fields",
    "Where a gradient is taken by a struct or a field of one, each tensor of the struct is a value of its "
    "own. "
    "The fields of structs in a struct count as well. Give the part to differentiate by a name of its own "
    "before the struct is made of it."};
inline constexpr DiagnosticKind wrt_outside{
    "TEL-E0473", error, "several names in parentheses stand behind wrt in gradient(e, wrt: (x, t)) alone",
    "Elsewhere a value is one tensor. stack(a, b) and [a, b] make one of several."};
inline constexpr DiagnosticKind gradient_independent{
    "TEL-W0522", warning, "{expression} does not depend on '{name}': the derivative is zero",
    "No value in the expression is computed from the one that the name stands for, so that the derivative is "
    "zero whatever the program computes. An equation that computes the value from something else does not "
    "make it depend on a name that merely stands for an equal value. Where zero is meant, write 0."};
inline constexpr DiagnosticKind gradient_through_loop{
    "TEL-E0475", error,
    "the gradient of {expression} by '{name}' stands inside a loop that carries the dependence",
    "The expression depends on the name through earlier rounds of a loop that goes on: the derivative in "
    "each round would run all rounds before it again. Behind the loop the gradient can be taken, and inside "
    "it by what the round itself begins with."};
inline constexpr DiagnosticKind gradient_of_element{
    "TEL-E0476", error, "a gradient of one element",
    "In index notation an expression stands for each element of a tensor at once, and an index names no "
    "element that a gradient could be taken by. Take the gradient of a whole tensor's sum, give it a name, "
    "and use its elements."};
inline constexpr DiagnosticKind gradient_in_constant{
    "TEL-E0477", error, "a gradient in a constant",
    "Constants and initial values are computed from numbers and constants; no gradient is taken of them. "
    "Write the derivative, or make it a value of the module."};

inline constexpr DiagnosticKind only_of_function{
    "TEL-E0480", error, "'{word}' stands in the derivative of a function alone, and '{name}' is a value",
    "gradient NAME of y wrt x keeping z declares an entry point, which takes a cotangent unless y is a "
    "scalar, "
    "and keeps values by their names. The derivative of a function, gradient NAME of f from 0 wrt x keeping "
    "0 "
    "seedable, names results by their numbers."};
inline constexpr DiagnosticKind derivative_of_several{
    "TEL-E0481", error, "several functions are named '{function}'",
    "The derivative of a function is declared of one. The note shows the signatures."};
inline constexpr DiagnosticKind no_parameter{
    "TEL-E0482", error, "'{function}' has no parameter '{name}' to differentiate by",
    "Behind wrt stand parameters of the function that are floating-point tensors. The note shows the "
    "signature."};
inline constexpr DiagnosticKind no_result{"TEL-E0483", error,
                                          "'{function}' has no result number {number} to {use}",
                                          "The results of a function are numbered from 0. What is "
                                          "differentiated is floating-point, and a result is "
                                          "kept once."};
inline constexpr DiagnosticKind cotangent_differs{
    "TEL-E0484", error, "the cotangent is {type}, and the result that is differentiated {other type}",
    "The last argument of a derivative that is seedable is the cotangent, by which each element of the "
    "result "
    "is weighted: it has the type and the shape of the result."};
inline constexpr DiagnosticKind cotangent_missing{
    "TEL-E0485", error, "'{derivative}' takes the arguments of '{function}', then the cotangent",
    "A derivative that is declared seedable takes, behind what the function takes, the cotangent of the "
    "result "
    "that is differentiated. It may be named: cotangent: dy."};

}  // namespace frontend::check
