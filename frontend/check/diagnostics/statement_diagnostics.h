// The mistakes with statements, in the bodies of functions: TEL-E036x to E038x.
#pragma once

#include "dlvm/support/diagnostic.h"

namespace frontend::check {

using dlvm::DiagnosticKind;
using enum dlvm::Severity;  // error, warning

inline constexpr DiagnosticKind missing_return{
    "TEL-E0360", error, "'{function}' can end without a return",
    "A function returns its result on every way through its body. A loop may have no round at all, and of an "
    "'if' without 'else' the condition may be false; behind these another 'return' is needed."};
inline constexpr DiagnosticKind not_assignable{
    "TEL-E0361", error, "'{name}' cannot be assigned: it is {what}",
    "Only a 'var' of the function takes other values after its declaration. The name of a 'let', of a "
    "parameter or of a counter stands for one value."};
inline constexpr DiagnosticKind variable_shape{
    "TEL-E0362", error, "'{name}' is {type}, and cannot become {other type}",
    "A 'var' has the shape and the element type of its first value, or those that it is declared with, as "
    "long as it lives. So every shape is known when the module is compiled, in loops too."};
inline constexpr DiagnosticKind several_results{
    "TEL-E0363", error, "'{function}' returns {number} values, not one",
    "A function with several results is called where each has a name: in the module 'a, b = f(x)', in a "
    "function 'let (a, b) = f(x)'. A 'return' passes all of them on."};
inline constexpr DiagnosticKind result_count{
    "TEL-E0364", error, "{values} in the place of {number}",
    "The names in 'a, b = f(x)' or 'let (a, b) = f(x)' and the values "
    "of a 'return' are as many as the results of the function."};
inline constexpr DiagnosticKind endless_loop{
    "TEL-E0365", error, "this loop never ends",
    "Its condition is always true, and nothing in it returns. A loop ends when its condition is false, or "
    "with a 'return'."};
inline constexpr DiagnosticKind result_type_missing{
    "TEL-E0366", error, "'{function}' calls itself, and declares no type for its result",
    "The calls of a recursive function are checked before its body is, so its signature says what it "
    "returns: func f(x: [n]) -> [n]. The result has no '?'."};
inline constexpr DiagnosticKind recursion_changes_types{
    "TEL-E0367", error, "'{function}' calls itself with other types or shapes",
    "Each call would need another function for its shapes, without end. A recursive function calls itself "
    "with the shapes that it was called with: pass the whole tensor, and a position in it as an integer."};
inline constexpr DiagnosticKind bound_not_integer{
    "TEL-E0368", error, "the bounds of a 'for' are int64, not {type}",
    "The counter of a 'for' is int64, as a dimension's value is. 'as int64' converts other integers."};
inline constexpr DiagnosticKind result_differs{"TEL-E0369", error,
                                               "'{function}' returns {type} here, and {other type} elsewhere",
                                               "All values that a function returns have one type and shape. "
                                               "A declared type says which: func f(x: [n]) -> [n]."};
inline constexpr DiagnosticKind zero_step{"TEL-E0370", error, "a loop with a step of 0",
                                          "The step of 'for i in a..b by step' is an integer other than 0; "
                                          "with a negative one the counter goes down."};
inline constexpr DiagnosticKind unreachable_statement{
    "TEL-W0510", warning, "nothing reaches this statement",
    "Every way through the statements before it ends in a 'return', or in a loop without end."};

}  // namespace frontend::check
