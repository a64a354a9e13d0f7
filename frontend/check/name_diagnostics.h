// What can be wrong with names: TEL-E02xx.
#pragma once

#include "dlvm/diagnostics/diagnostic.h"

namespace frontend::check {

using dlvm::DiagnosticKind;
using enum dlvm::Severity;  // error, warning

inline constexpr DiagnosticKind unknown_name_kind{
    "TEL-E0201", error, "unknown name '{name}'",
    "No value, dimension, parameter or imported constant has this name here. Names are case- "
    "sensitive; order does not matter, a name may be used above its declaration."};
inline constexpr DiagnosticKind unknown_function{
    "TEL-E0202", error, "unknown function '{name}'",
    "A call names a function of this file, of an imported one, of the standard library, or a "
    "builtin. docs/language.md lists those that are always there."};
inline constexpr DiagnosticKind declared_twice{
    "TEL-E0203", error, "'{name}' is declared twice",
    "A name stands for one thing in a module. Rename one of the two, or delete it."};
inline constexpr DiagnosticKind cycle{
    "TEL-E0204", error, "a cycle: {names}",
    "Each of these needs the value of the next, and the last that of the first, so none can be "
    "computed.\n"
    "A value that depends on its own earlier value is a recurrence."};
inline constexpr DiagnosticKind function_as_value{
    "TEL-E0205", error, "'{name}' is a function, not a value",
    "A function is called, f(x), or applied by a pipe, x |> f. It is no value by itself."};
inline constexpr DiagnosticKind not_a_function{
    "TEL-E0206", error, "{expression} is not a function",
    "Parentheses directly behind an operand are a call. Two operands side by side are never a "
    "product: write 2 * (a + b)."};
inline constexpr DiagnosticKind value_and_dimension{
    "TEL-E0207", error, "'{name}' is a dimension already",
    "A dimension's name is also a number in expressions, so a value may not have the same name."};
inline constexpr DiagnosticKind value_as_extent{
    "TEL-E0208", error, "'{name}' is a value, not a dimension",
    "An extent is known when compiling: a number, a dimension (dim d = 8, or any name that "
    "nothing else has), or arithmetic with these. A tensor's value is known only when the program "
    "runs."};
inline constexpr DiagnosticKind unknown_dimension{
    "TEL-E0209", error, "unknown dimension '{name}'",
    "Inside a function, or where a number is wanted, a dimension must be one of the module's or "
    "of the function's signature. (In a declared shape a name used nowhere else makes a new "
    "dimension.)"};
inline constexpr DiagnosticKind joined_extents{
    "TEL-E0210", error, "'{name}' is one name, not two extents",
    "Between extents 'x' separates, but directly behind a letter it is part of the name: [Nx10] "
    "has one axis, named Nx10. Declare it with dim if that is what is meant."};
inline constexpr DiagnosticKind import_not_found{
    "TEL-E0211", error, "there is no module '{name}' to import",
    "An import names a file without its .tel: beside the importing file, in a folder given with "
    "-I, or in the standard library."};
inline constexpr DiagnosticKind import_cycle{
    "TEL-E0212", error, "files import each other: {names}",
    "Imports may not lead back to where they started. Move what both need into a third file."};
inline constexpr DiagnosticKind ambiguous_import{
    "TEL-E0213", error, "both '{file}' and '{other file}' have a '{name}'",
    "Two imported files have this name. Say which is meant by writing the file's name before it."};
inline constexpr DiagnosticKind not_importable{
    "TEL-E0214", error, "'{file}' cannot be imported: it declares '{name}', an '{role}'",
    "An imported file holds functions, dimensions and constants. Inputs, parameters, values and "
    "results belong to the module that is compiled."};
inline constexpr DiagnosticKind unknown_member{
    "TEL-E0215", error, "'{file}' has no '{name}'",
    "The file before the dot was imported, but nothing in it has the name behind the dot."};
inline constexpr DiagnosticKind no_members{
    "TEL-E0216", error, "a value has no member '{name}'",
    "A '.' without white space takes something from an imported file, layers.relu. Values have no "
    "parts with names."};
inline constexpr DiagnosticKind module_as_value{
    "TEL-E0217", error, "'{name}' is an imported file, not a value",
    "What is in an imported file is named by itself, or with the file's name and a '.' before it: "
    "layers.gelu(x)."};
inline constexpr DiagnosticKind value_in_function{
    "TEL-E0218", error, "a function cannot use '{name}', which is not a constant",
    "A function knows its parameters, dimensions, and constants with an expression. Everything "
    "else is passed to it, so that the same call always means the same."};
inline constexpr DiagnosticKind endless_recursion{
    "TEL-E0219", error, "a call without end: {names}",
    "Both sides of an 'if' are computed, so a function whose expression calls itself never ends."};
inline constexpr DiagnosticKind overlapping_signatures{
    "TEL-E0220", error, "some call would fit two functions '{function}'",
    "Functions may share a name where the number of parameters, their ranks, or their kinds of "
    "element type (floating, integer, bool) tell every call apart."};
inline constexpr DiagnosticKind undetermined_dimension{
    "TEL-E0221", error, "nothing determines '{dimension}' in a call of '{function}'",
    "A generic dimension of the result must occur in a parameter: its extent follows from the "
    "argument. Otherwise declare it with dim."};
inline constexpr DiagnosticKind misplaced_rest{
    "TEL-E0222", error, "'{name}...' cannot stand here",
    "s... stands for any number of axes: once in the shape of a function's parameter, and in what "
    "follows from it. A function has at most one."};
inline constexpr DiagnosticKind unknown_argument{
    "TEL-E0223", error, "'{function}' has no parameter '{name}'",
    "A named argument is written f(x, along: 0), with the name of a parameter. The note shows "
    "them."};
inline constexpr DiagnosticKind argument_count{
    "TEL-E0224", error, "'{function}' takes {arguments}, not {number}",
    "There are more arguments than parameters. The note shows what they are."};
inline constexpr DiagnosticKind argument_twice{
    "TEL-E0225", error, "the argument '{argument}' of '{function}' is given twice",
    "An argument is given by its position or by its name, not both."};
inline constexpr DiagnosticKind argument_missing{
    "TEL-E0226", error, "'{function}' lacks its argument '{argument}'",
    "Only parameters with a default may be left out. The note shows them."};
inline constexpr DiagnosticKind bad_option{
    "TEL-E0227", error, "-D {name}={number}: a dimension is at least 0",
    "A dimension that is given a value when compiling is an integer of at least 0. Every extent that follows from "
    "it must be legal: a constant one is at least 1."};
inline constexpr DiagnosticKind unknown_option{
    "TEL-E0228", error, "-D {name}: the module has no such dimension",
    "-D gives a value to a dimension that the module declares or uses in a shape."};
inline constexpr DiagnosticKind named_twice{
    "TEL-E0229", error, "'{name}' is named twice",
    "Each name may be there once in what a gradient is taken by, and once in what it keeps."};
inline constexpr DiagnosticKind initializer_not_constant{
    "TEL-E0230", error, "'{name}' is not a constant",
    "The value of a 'const', and the initial value of a 'param', are made of numbers, dimensions "
    "and other constants: nothing that is known only when the program runs, and nothing that is "
    "trained or loaded."};
inline constexpr DiagnosticKind dimension_negative{
    "TEL-E0231", error, "the dimension '{name}' is {number}",
    "A dimension is at least 0, and an extent made of dimensions at least 1."};
inline constexpr DiagnosticKind unused{
    "TEL-W0501", warning, "{role} '{name}' is never used",
    "Nothing that the module returns depends on the name. It may be a leftover, or another name "
    "was meant where it should be used."};

}  // namespace frontend::check
