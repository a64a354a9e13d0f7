// What can be wrong with types, shapes and values: TEL-E03xx.
#pragma once

#include "dlvm/diagnostics/diagnostic.h"

namespace frontend::check {

using dlvm::DiagnosticKind;
using enum dlvm::Severity;  // error, warning

inline constexpr DiagnosticKind shapes_differ{
    "TEL-E0301", error, "'{operator}' cannot combine {type} and {other type}",
    "Elementwise operations align shapes from the last axis. Two extents fit when they are equal, "
    "when one is a literal 1, or when one side lacks the axis. Named dimensions never stretch.\n"
    "The notes say where both sides come from."};
inline constexpr DiagnosticKind element_types_differ{
    "TEL-E0302", error, "'{operator}' cannot combine {type} and {other type}: different element types",
    "There is no implicit conversion between element types: `as` converts, `label as float32`. "
    "Numbers take the type of what they are combined with."};
inline constexpr DiagnosticKind product_shapes{
    "TEL-E0303", error, "'•' cannot multiply {type} and {other type}: {extent} against {other extent}",
    "In a • b the last axis of a and the last but one of b (of a vector its only one) are "
    "contracted and must be equal. Axes before these are a batch, and broadcast."};
inline constexpr DiagnosticKind operator_on_type{
    "TEL-E0304", error, "'{operator}' takes {wanted}, not {type}",
    "Arithmetic is not defined on bool, `and`, `or` and `not` only on bool, and `/` and most "
    "functions only on floating types."};
inline constexpr DiagnosticKind number_does_not_fit{
    "TEL-E0305", error, "{element type} cannot hold {number}",
    "A number takes the type of its context and must be a value of it: an integer in range, or a "
    "finite floating value."};
inline constexpr DiagnosticKind number_too_large{
    "TEL-E0306", error, "'{number}' is larger or longer than any number",
    "No element type holds this number, or it has thousands of digits."};
inline constexpr DiagnosticKind declared_shape_differs{
    "TEL-E0307", error, "the shape of {value} is declared {shape declared}, but its value is {type}",
    "A declared shape does not stretch or reshape the value: they must be equal (`?` accepts any "
    "extent). Only the initial value of a parameter stretches."};
inline constexpr DiagnosticKind declared_element_differs{
    "TEL-E0308", error, "{value} is declared {element type declared}, but its value is {type}",
    "There is no implicit conversion: `as` converts. A shape without an element type means the "
    "module's `type`."};
inline constexpr DiagnosticKind extent_overflow{
    "TEL-E0309", error, "an extent that is too large to compute",
    "Extents are computed with 64-bit integers; this one, or a step on the way to it, does not "
    "fit."};
inline constexpr DiagnosticKind tensor_too_large{"TEL-E0310", error, "{type} is too large: {size}",
                                                 "A tensor may have at most 2^47 bytes (128 TiB)."};
inline constexpr DiagnosticKind extent_not_positive{
    "TEL-E0311", error, "an extent of {number}: a constant extent is at least 1",
    "A tensor of constant extents has at least one element. A dimension may be 0 where every extent that is made of "
    "it is legal, in [N + 2*padding] for instance, and one that is bound when the program runs may be 0."};
inline constexpr DiagnosticKind division_by_zero{"TEL-E0312", error, "division by 0",
                                                 "In extents `/` rounds down; the divisor is not 0."};
inline constexpr DiagnosticKind not_an_extent{
    "TEL-E0313", error, "'{expression}' is not an integer that is known when compiling",
    "Here an integer is wanted that is known when compiling: a number, a dimension, or + - * / of "
    "these."};
inline constexpr DiagnosticKind misplaced_unknown{
    "TEL-E0314", error, "'?' cannot stand in {place}",
    "`?` stands for one whole extent that the context gives. Here nothing does."};
inline constexpr DiagnosticKind several_unknowns{
    "TEL-E0315", error, "{number} unknown extents in a reshape",
    "At most one extent of a reshape can follow from the others."};
inline constexpr DiagnosticKind reshape_count{
    "TEL-E0316", error, "a reshape of {type} has {number} elements, not {other number}",
    "`as` keeps all elements and their order; the number of elements must stay the same."};
inline constexpr DiagnosticKind constant_wanted{
    "TEL-E0317", error, "{what is given} must be a constant integer",
    "This is needed when compiling: a number, a constant dimension, or an axis parameter of the "
    "function."};
inline constexpr DiagnosticKind list_wanted{
    "TEL-E0318", error, "expected {list}",
    "The argument is part of the program's shape and is written out where the function is called."};
inline constexpr DiagnosticKind axis_outside{"TEL-E0319", error, "there is no axis {axis} in {type}",
                                             "Axes count from 0, or from the end with negative numbers."};
inline constexpr DiagnosticKind axis_twice{"TEL-E0320", error, "axis {axis} is named twice",
                                           "In a list of axes each axis can be named only once."};
inline constexpr DiagnosticKind condition_not_bool{
    "TEL-E0321", error, "a condition is bool, not {type}",
    "`if` chooses by a truth value: a comparison, or something made of them with and, or, not."};
inline constexpr DiagnosticKind product_of_scalar{
    "TEL-E0322", error, "'•' is a product of matrices and vectors, not of {type} and {other type}",
    "A scalar scales with `*`; a vector or matrix is multiplied with • where axes are contracted."};
inline constexpr DiagnosticKind transpose_of_vector{
    "TEL-E0323", error, "{type} has no two axes to swap",
    "^T swaps the last two axes. A vector is neither a row nor a column."};
inline constexpr DiagnosticKind concatenation_shapes{
    "TEL-E0324", error, "{type} and {other type} cannot be joined along axis {axis}",
    "Joined tensors have the same number of axes, and the same extents on all axes but one. A "
    "scalar counts as one element."};
inline constexpr DiagnosticKind matrix_element{
    "TEL-E0325", error, "{type} in a matrix literal",
    "The elements of [a, b; c, d] are scalars, or matrices that are put together as blocks."};
inline constexpr DiagnosticKind ragged_matrix{"TEL-E0326", error,
                                              "row {number} has {elements}, the first has {other number}",
                                              "All rows of a matrix literal are of one length."};
inline constexpr DiagnosticKind index_outside{
    "TEL-E0327", error, "index {index} is outside axis {axis}, which has extent {extent}",
    "Positions count from 0, or from the end with negative numbers."};
inline constexpr DiagnosticKind slice_outside{
    "TEL-E0328", error, "{slice} leaves axis {axis}, which has extent {extent}",
    "The bounds of a slice lie inside the tensor. They are never clamped."};
inline constexpr DiagnosticKind empty_slice{
    "TEL-E0329", error, "{slice} is empty",
    "A slice from a up to b holds the elements a, a + 1, ... b - 1. One with constant bounds must "
    "have some."};
inline constexpr DiagnosticKind bad_step{
    "TEL-E0330", error, "a step of {number}",
    "The step of a slice is a constant other than 0, of reasonable size."};
inline constexpr DiagnosticKind index_not_integer{
    "TEL-E0331", error, "an index is an integer, not {type}",
    "A tensor is indexed by integers, or by a tensor of integers."};
inline constexpr DiagnosticKind index_value_outside{
    "TEL-E0332", error, "index {index} is outside an extent of {extent}",
    "The constant index is outside the axis, so the program could only fail."};
inline constexpr DiagnosticKind too_many_subscripts{"TEL-E0333", error, "{subscripts} for {type}",
                                                    "There are more subscripts than the tensor has axes."};
inline constexpr DiagnosticKind gather_not_adjacent{
    "TEL-E0334", error, "index tensors on axes {axis} and {other axis}, which are not adjacent",
    "Several index tensors select jointly, element by element, and replace adjacent axes."};
inline constexpr DiagnosticKind broadcast_target{"TEL-E0335", error,
                                                 "{type} does not stretch to {other type}",
                                                 "Only axes of extent 1 and missing axes stretch."};
inline constexpr DiagnosticKind scalar_wanted{"TEL-E0336", error, "{argument} must be a scalar, not {type}",
                                              "One number is wanted here, not a tensor of them."};
inline constexpr DiagnosticKind shape_as_value{
    "TEL-E0337", error, "a shape is not a value",
    "[4 x 3] describes a shape, as after `as` or in broadcast(x, to: [4 x 3])."};
inline constexpr DiagnosticKind pipe_into_value{
    "TEL-E0338", error, "|> leads into something that is not a function",
    "x |> f is f(x), and x |> f(along: 0) is f(x, along: 0). Behind |> stands the name of a "
    "function, or a call."};
inline constexpr DiagnosticKind negative_power_of_integer{"TEL-E0339", error, "{type} to a negative power",
                                                          "An integer to a negative power is no integer."};
inline constexpr DiagnosticKind argument_element{
    "TEL-E0340", error, "the argument '{argument}' of '{function}' is {wanted}, not {type}",
    "The parameter's element type is declared. No element type means any floating type, int any "
    "integer type."};
inline constexpr DiagnosticKind arguments_disagree{
    "TEL-E0341", error, "the arguments of '{function}' are {type} and {other type}",
    "Parameters without an element type take any floating type, but all the same one."};
inline constexpr DiagnosticKind argument_shape{
    "TEL-E0342", error, "the argument '{argument}' of '{function}' is {shape}, but got {type}",
    "The argument's shape does not fit the parameter's. A generic dimension has one value "
    "throughout a call."};
inline constexpr DiagnosticKind no_signature_fits{
    "TEL-E0343", error, "no function '{function}' takes ({types})",
    "Functions of this name exist, the notes show them, but none for these arguments."};
inline constexpr DiagnosticKind several_signatures_fit{
    "TEL-E0344", error, "several functions '{function}' take ({types})",
    "A number without a type could be floating or an integer. Give it a type: 1 as int32."};
inline constexpr DiagnosticKind value_missing{
    "TEL-E0345", error, "'{name}' is a '{role}' without an expression",
    "Only what is supplied from outside, an 'in' or a 'const' that is loaded, has no expression."};
inline constexpr DiagnosticKind value_of_input{"TEL-E0346", error,
                                               "the input '{name}' cannot have an expression",
                                               "The caller supplies an 'in'; its value is not computed."};
inline constexpr DiagnosticKind stored_extent_free{
    "TEL-E0347", error, "the {role} '{name}' has the free dimension {dimension}",
    "Parameters and loaded constants are stored with the program: their shapes are constant."};
inline constexpr DiagnosticKind param_not_floating{
    "TEL-E0348", error, "the param '{name}' is {type}, which cannot be trained",
    "Derivatives, which training needs, exist for floating types alone."};
inline constexpr DiagnosticKind loss_not_scalar{"TEL-E0349", error,
                                                "the loss '{name}' is {type}, not a floating scalar",
                                                "A loss is one floating number: reduce it with mean or sum."};
inline constexpr DiagnosticKind initializer_only{
    "TEL-E0350", error, "'{function}' is for initial values of parameters",
    "Random numbers are drawn once, when parameters are initialized: W: param[3x3] = normal(0, "
    "1)."};
inline constexpr DiagnosticKind orthogonal_rank{
    "TEL-E0351", error, "orthogonal() needs two axes, not {shape}",
    "The rows or the columns of the last two axes are made orthonormal."};
inline constexpr DiagnosticKind number_too_long{
    "TEL-E0352", error, "the exact result of '{operator}' has more than {number} binary digits",
    "Arithmetic on numbers alone is exact: they are fractions, and are rounded once, to the type that the "
    "expression around them has. A numerator or denominator has a limited number of digits. Once a number has a "
    "type, (1.001 as float64)^100000, the rest is computed in that type."};
inline constexpr DiagnosticKind numbers_take_long{
    "TEL-E0353", error, "the exact numbers of the module take too long to compute",
    "Arithmetic on numbers alone is exact, and takes the longer the more digits they have; together they may take "
    "a few seconds. Once a number has a type, (1.001 as float64)^100000, the rest is computed in that type."};
inline constexpr DiagnosticKind unfit_operation{"TEL-E0399", error, "{operation}: {what is wrong}",
                                                "The instruction does not take these operands."};
inline constexpr DiagnosticKind softmax_of_one{
    "TEL-W0502", warning, "'{function}' along axis {axis} of {type}, which has extent 1, is constant",
    "Scaled to sum 1, a single element is always 1: another axis was probably meant."};

}  // namespace frontend::check
