// The mistakes with names: TEL-E02xx.
#pragma once

#include "dlvm/support/diagnostic.h"

namespace frontend::check {

using dlvm::DiagnosticKind;
using enum dlvm::Severity;  // error, warning

inline constexpr DiagnosticKind unknown_name_kind{
    "TEL-E0201", error, "unknown name '{name}'",
    "No value, dimension, parameter or imported constant has this name here. Names are case-sensitive. A "
    "name may be used above its declaration."};
inline constexpr DiagnosticKind unknown_function{
    "TEL-E0202", error, "unknown function '{name}'",
    "A call names a function of this file, of an imported one, or of the standard library. "
    "docs/language.md lists the functions that are always there."};
inline constexpr DiagnosticKind declared_twice{
    "TEL-E0203", error, "'{name}' is declared twice",
    "A name stands for one thing in a module. Rename one of the two, or delete it."};
inline constexpr DiagnosticKind cycle{
    "TEL-E0204", error, "a cycle: {names}",
    "Each of these needs the value of the next one, and the last needs that of the first, so none can be "
    "computed."};
inline constexpr DiagnosticKind function_as_value{
    "TEL-E0205", error, "'{name}' is a function, not a value",
    "A function is called, f(x), or applied by a pipe, x |> f. It cannot be used as a value."};
inline constexpr DiagnosticKind not_a_function{
    "TEL-E0206", error, "{expression} is not a function",
    "Parentheses directly after an operand are a call. Two operands side by side are not a product: write "
    "2 * (a + b)."};
inline constexpr DiagnosticKind value_and_dimension{
    "TEL-E0207", error, "'{name}' is a dimension already",
    "A dimension's name is also a number in expressions, so a value may not have the same name."};
inline constexpr DiagnosticKind value_as_extent{
    "TEL-E0208", error, "'{name}' is a value, not a dimension",
    "An extent is known when the module is compiled: it is a number, a dimension (dim d = 8, or any name "
    "without another meaning), or arithmetic with these. The value of a tensor is known only when the "
    "program runs."};
inline constexpr DiagnosticKind unknown_dimension{
    "TEL-E0209", error, "unknown dimension '{name}'",
    "Inside a function, and where a number is needed, a dimension must be one of the module's or of the "
    "function's signature. (In a declared shape a name that is used nowhere else makes a new dimension.)"};
inline constexpr DiagnosticKind joined_extents{
    "TEL-E0210", error, "'{name}' is one name, not two extents",
    "'x' separates extents, but directly after a letter it is part of a name: [Nx10] has one axis, whose "
    "extent is named Nx10. If that is intended, declare it with dim."};
inline constexpr DiagnosticKind ambiguous_import{
    "TEL-E0213", error, "both '{file}' and '{other file}' have a '{name}'",
    "Two imported files have this name. Write the name of the file before it to say which one is meant."};
inline constexpr DiagnosticKind dimensions_differ{
    "TEL-E0232", error, "'{name}' has one value in '{file}' and another one in '{other file}'",
    "Two imported files declare a dimension of this name, and do not give it the same value. A dimension "
    "that "
    "the file declares itself goes before those that it imports."};
inline constexpr DiagnosticKind not_importable{
    "TEL-E0214", error, "'{file}' cannot be imported: it declares '{name}', {what}",
    "An imported file holds functions with their derivatives, types, nets, dimensions and constants. Inputs, "
    "parameters, values, results, entry points and optimizers belong in the module that is compiled."};
inline constexpr DiagnosticKind unknown_member{
    "TEL-E0215", error, "'{file}' has no '{name}'",
    "The file before the dot was imported, but does not have the name after the dot."};
inline constexpr DiagnosticKind no_members{"TEL-E0216", error, "a value has no member '{name}'",
                                           "A '.' without white space selects something in an imported file, "
                                           "layers.relu, or in an instance of a net, "
                                           "fc.W. Values have no members."};
inline constexpr DiagnosticKind module_as_value{
    "TEL-E0217", error, "'{name}' is an imported file, not a value",
    "The functions and constants of an imported file are used by their own names, or with the name of the "
    "file before them: layers.gelu(x)."};
inline constexpr DiagnosticKind value_in_function{
    "TEL-E0218", error, "a function cannot use '{name}', which is not a constant",
    "A function can use its parameters, dimensions, and constants that have an expression. Everything else "
    "is passed as an argument, so that equal calls have equal results."};
inline constexpr DiagnosticKind endless_recursion{
    "TEL-E0219", error, "functions that call each other without end: {names}",
    "Every way through these functions calls the next of them, so none returns. A recursive function has a "
    "way "
    "that does not call it: 'if' with a scalar condition computes one side alone. Where the condition is a "
    "tensor, both sides are computed."};
inline constexpr DiagnosticKind overlapping_signatures{
    "TEL-E0220", error, "some call would fit two functions '{function}'",
    "Functions may have the same name if every call fits only one of them: they differ in the number of "
    "parameters, in their ranks, or in their kinds of element type (floating-point, integer, bool)."};
inline constexpr DiagnosticKind undetermined_dimension{
    "TEL-E0221", error, "nothing determines '{dimension}' in a call of '{function}'",
    "A generic dimension of the result must occur in a parameter, so that its value follows from the "
    "argument. Otherwise declare it with dim."};
inline constexpr DiagnosticKind misplaced_rest{
    "TEL-E0222", error, "'{name}...' cannot stand here",
    "s... stands for any number of axes. It can occur once in the shape of each parameter of a function, "
    "and then in its result and its body. A function has one such name at most."};
inline constexpr DiagnosticKind unknown_argument{
    "TEL-E0223", error, "'{function}' has no parameter '{name}'",
    "A named argument has the name of a parameter: f(x, along: 0). The note shows the parameters."};
inline constexpr DiagnosticKind argument_count{
    "TEL-E0224", error, "'{function}' takes {arguments}, not {number}",
    "There are more arguments than parameters. The note shows the parameters."};
inline constexpr DiagnosticKind argument_twice{
    "TEL-E0225", error, "the argument '{argument}' of '{function}' is given twice",
    "An argument is given by its position or by its name, not both."};
inline constexpr DiagnosticKind argument_missing{
    "TEL-E0226", error, "'{function}' lacks its argument '{argument}'",
    "Only parameters that have a default can be left out. The note shows the parameters."};
inline constexpr DiagnosticKind bad_option{
    "TEL-E0227", error, "-D {name}={number}: a dimension is at least 0",
    "A dimension that is given a value when compiling is an integer of at least 0. Every extent that "
    "follows from it must be legal: a constant one is at least 1."};
inline constexpr DiagnosticKind unknown_option{
    "TEL-E0228", error, "-D {name}: the module has no such dimension",
    "-D gives a value to a dimension that the module declares or uses in a shape."};
inline constexpr DiagnosticKind named_twice{"TEL-E0229", error, "'{name}' is named twice",
                                            "A name can occur once after wrt, and once after keeping."};
inline constexpr DiagnosticKind initializer_not_constant{
    "TEL-E0230", error, "'{name}' is not a constant",
    "The value of a 'const', the initial value of a 'param' or a 'state' and the default of a parameter can "
    "use numbers, dimensions and other constants, but nothing that is trained, is loaded, or is known only "
    "when the program runs."};
inline constexpr DiagnosticKind dimension_negative{
    "TEL-E0231", error, "the dimension '{name}' is {number}",
    "A dimension is at least 0, and an extent made of dimensions at least 1."};
inline constexpr DiagnosticKind next_of_no_state{
    "TEL-E0241", error, "{expression} is not a state: it has no next value",
    "s' is the value that the state s has after the call. Only a 'state' has one; it is given by a "
    "declaration of its own, s' = expression."};
inline constexpr DiagnosticKind unused_result_of_nothing{
    "TEL-E0580", error, "'_' stands for a result of a call, and there is no call of several results here",
    "In a, _ = f(x) the name '_' stands for a result that is not used. Other declarations of several names "
    "give "
    "each of them a value of its own, or the same one, so each name can be used."};
inline constexpr DiagnosticKind no_next_value{
    "TEL-E0242", error, "nothing gives the state '{name}' a next value",
    "s' is what the declaration s' = expression gives the state s. Without one a call leaves the state as it "
    "is, and its value is s."};
inline constexpr DiagnosticKind state_never_changes{
    "TEL-W0515", warning, "the state '{name}' never changes: nothing gives it a next value",
    "A call leaves a state without a next value, s' = expression, as it is. What is loaded and never changes "
    "is a const; what training changes is a param."};
inline constexpr DiagnosticKind unused{
    "TEL-W0501", warning, "{role} '{name}' is never used",
    "Nothing that the module returns depends on the name. It may be left over, or another name may have "
    "been written where it was intended."};
inline constexpr DiagnosticKind unused_parameter{
    "TEL-W0518", warning, "the parameter '{name}' of '{function}' is never used",
    "The results of the function do not depend on what calls give for the parameter. It may be left over, or "
    "another name may have been written where it was intended. A parameter whose shape alone is used, since "
    "it "
    "gives a dimension its value, is not reported."};

}  // namespace frontend::check
