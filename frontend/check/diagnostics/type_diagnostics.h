// The mistakes with types, shapes and values: TEL-E03xx.
#pragma once

#include "dlvm/support/diagnostic.h"

namespace frontend::check {

using dlvm::DiagnosticKind;
using enum dlvm::Severity;  // error, warning

inline constexpr DiagnosticKind shapes_differ{
    "TEL-E0301", error, "'{operator}' cannot combine {type} and {other type}",
    "Elementwise operations align shapes from the last axis. Two extents fit when they are equal, when one "
    "is a literal 1, or when one side lacks the axis. Named dimensions never stretch.\n"
    "The notes say where both sides come from."};
inline constexpr DiagnosticKind element_types_differ{
    "TEL-E0302", error, "'{operator}' cannot combine {type} and {other type}: different element types",
    "There is no implicit conversion between element types: `as` converts, `label as float32`. Numbers "
    "take the type of what they are combined with."};
inline constexpr DiagnosticKind product_shapes{
    "TEL-E0303", error, "'•' cannot multiply {type} and {other type}: {extent} against {other extent}",
    "a • b contracts the last axis of a with the last but one of b, or with the only one if b is a vector. "
    "Their extents must be equal. The axes before these are a batch, and broadcast."};
inline constexpr DiagnosticKind operator_on_type{
    "TEL-E0304", error, "'{operator}' takes {wanted}, not {type}",
    "There is no arithmetic on bool; `and`, `or` and `not` take only bool; `/` and most functions take "
    "only floating-point types."};
inline constexpr DiagnosticKind number_does_not_fit{
    "TEL-E0305", error, "{element type} cannot hold {number}",
    "A number takes its type from the context, and must be a value of that type: an integer in range, or a "
    "finite floating-point value."};
inline constexpr DiagnosticKind number_too_large{
    "TEL-E0306", error, "'{number}' is too large, or has too many digits",
    "No element type can hold this number, or it has thousands of digits."};
inline constexpr DiagnosticKind declared_shape_differs{
    "TEL-E0307", error, "the shape of {value} is declared {shape declared}, but its value is {type}",
    "A value is not stretched or reshaped to the declared shape: the two must be equal (`?` accepts any "
    "extent). Only the initial value of a parameter is stretched."};
inline constexpr DiagnosticKind declared_element_differs{
    "TEL-E0308", error, "{value} is declared {element type declared}, but its value is {type}",
    "There is no implicit conversion: `as` converts. A shape without an element type means the module's "
    "`type`."};
inline constexpr DiagnosticKind extent_overflow{
    "TEL-E0309", error, "an extent is too large",
    "Extents are computed with 64-bit integers. This one, or an intermediate result, does not fit."};
inline constexpr DiagnosticKind tensor_too_large{"TEL-E0310", error, "{type} is too large: {size}",
                                                 "A tensor may have at most 2^47 bytes (128 TiB)."};
inline constexpr DiagnosticKind extent_not_positive{
    "TEL-E0311", error, "an extent of {number}: a constant extent is at least 1",
    "A tensor of constant extents has at least one element. A dimension may be 0 where every extent that "
    "is made of it is legal, in [N + 2*padding] for instance, and one that is bound when the program runs "
    "may be 0."};
inline constexpr DiagnosticKind division_by_zero{
    "TEL-E0312", error, "division by 0",
    "`/` between extents rounds down, and its right side must not be 0. An integer that is divided by the "
    "number 0 has no quotient either; where a divisor is computed, and turns out to be 0, the quotient is "
    "0."};
inline constexpr DiagnosticKind quotient_rounded{
    "TEL-W0521", warning, "{quotient} is no integer, and is rounded down to {number}",
    "`/` between integers that are known when compiling rounds down, as in (H - K)/S + 1. Where both are "
    "written as numbers, the quotient could have been written instead: another one is likely meant."};
inline constexpr DiagnosticKind not_an_extent{
    "TEL-E0313", error, "'{expression}' is not an integer that is known when compiling",
    "An integer that is known when the module is compiled is needed here: a number, a dimension, or "
    "arithmetic (+ - * /) with these."};
inline constexpr DiagnosticKind misplaced_unknown{
    "TEL-E0314", error, "'?' cannot stand in {place}",
    "`?` stands for one whole extent that follows from the context. Here none follows."};
inline constexpr DiagnosticKind several_unknowns{
    "TEL-E0315", error, "{number} unknown extents in a reshape",
    "At most one extent of a reshape can follow from the others."};
inline constexpr DiagnosticKind reshape_count{
    "TEL-E0316", error, "a reshape of {type} has {number} elements, not {other number}",
    "`as` keeps all elements and their order; the number of elements must stay the same."};
inline constexpr DiagnosticKind constant_wanted{
    "TEL-E0317", error, "{what is given} must be a constant integer",
    "A constant is needed when the module is compiled: a number, a constant dimension, or an axis "
    "parameter of the function."};
inline constexpr DiagnosticKind list_wanted{
    "TEL-E0318", error, "expected {list}",
    "The argument decides the shape of the result, so it has to be written out in the call."};
inline constexpr DiagnosticKind axis_outside{"TEL-E0319", error, "there is no axis {axis} in {type}",
                                             "Axes count from 0, or from the end with negative numbers."};
inline constexpr DiagnosticKind axis_twice{"TEL-E0320", error, "axis {axis} is named twice",
                                           "A list of axes can contain each axis only once."};
inline constexpr DiagnosticKind condition_not_bool{
    "TEL-E0321", error, "a condition is bool, not {type}",
    "`if` selects by a condition: a comparison, or several combined with and, or, not."};
inline constexpr DiagnosticKind product_of_scalar{
    "TEL-E0322", error, "'•' is a product of matrices and vectors, not of {type} and {other type}",
    "A scalar is multiplied with `*`; • contracts axes, which a scalar does not have."};
inline constexpr DiagnosticKind transpose_of_vector{
    "TEL-E0323", error, "{type} has no two axes to swap",
    "^T swaps the last two axes. A vector is neither a row nor a column."};
inline constexpr DiagnosticKind concatenation_shapes{
    "TEL-E0324", error, "{type} and {other type} cannot be joined along axis {axis}",
    "Tensors that are joined have the same number of axes, and equal extents on all axes but one. A scalar "
    "counts as one element."};
inline constexpr DiagnosticKind matrix_element{
    "TEL-E0325", error, "{type} in a matrix literal",
    "The elements of [a, b; c, d] are scalars, or matrices, which become its blocks."};
inline constexpr DiagnosticKind ragged_matrix{"TEL-E0326", error,
                                              "row {number} has {elements}, the first has {other number}",
                                              "All rows of a matrix literal have the same length."};
inline constexpr DiagnosticKind index_outside{
    "TEL-E0327", error, "index {index} is outside axis {axis}, which has extent {extent}",
    "Positions count from 0; what is written with a minus sign, -1 or -k, counts from the end."};
inline constexpr DiagnosticKind negative_bound{
    "TEL-E0532", error, "the {what} '{text}' on axis {axis} is {value}: a computed {what} counts from 0",
    "A position or a bound counts from the end where it is written so, with a minus sign in front of all of "
    "it: "
    "-1, -k or -(k + 1). One that is computed counts from the start, so that its meaning does not depend on "
    "the values that dimensions have."};
inline constexpr DiagnosticKind slice_outside{
    "TEL-E0328", error, "{slice} leaves axis {axis}, which has extent {extent}",
    "The bounds of a slice must lie inside the tensor. They are never clamped."};
inline constexpr DiagnosticKind empty_slice{
    "TEL-E0329", error, "{slice} is empty",
    "The slice a:b holds the elements a, a + 1, ... b - 1. With constant bounds it must not be empty."};
inline constexpr DiagnosticKind bad_step{
    "TEL-E0330", error, "a step of {number}",
    "The step of a slice is a constant other than 0 and of at most 2^47."};
inline constexpr DiagnosticKind index_not_integer{
    "TEL-E0331", error, "{what} is an integer, not {value}",
    "A tensor is indexed by integers, or by a tensor of integers. The bounds and the step of a slice are "
    "integers too."};
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
                                              "A single number is needed here, not a tensor."};
inline constexpr DiagnosticKind shape_as_value{
    "TEL-E0337", error, "a shape is not a value",
    "[4 x 3] is a shape. It can follow `as`, or be an argument as in broadcast(x, to: [4 x 3])."};
inline constexpr DiagnosticKind pipe_into_value{
    "TEL-E0338", error, "|> is not followed by a function",
    "x |> f means f(x), and x |> f(along: 0) means f(x, along: 0). After |> comes the name of a function, "
    "or a call."};
inline constexpr DiagnosticKind negative_power_of_integer{
    "TEL-E0339", error, "{type} to a negative power", "An integer to a negative power is not an integer."};
inline constexpr DiagnosticKind argument_element{
    "TEL-E0340", error, "the argument '{argument}' of '{function}' is {wanted}, not {type}",
    "The parameter declares its element type. Without one it takes any floating-point type; int stands for "
    "any integer type."};
inline constexpr DiagnosticKind arguments_disagree{
    "TEL-E0341", error, "the arguments of '{function}' are {type} and {other type}",
    "Parameters without an element type take any floating-point type, but all of them the same one."};
inline constexpr DiagnosticKind argument_shape{
    "TEL-E0342", error, "the argument '{argument}' of '{function}' is {shape}, but got {type}",
    "The shape of the argument does not fit that of the parameter. A generic dimension has one value in "
    "each call."};
inline constexpr DiagnosticKind no_signature_fits{
    "TEL-E0343", error, "no function '{function}' takes ({types})",
    "There are functions of this name, which the notes show, but none takes these arguments."};
inline constexpr DiagnosticKind several_signatures_fit{
    "TEL-E0344", error, "several functions '{function}' take ({types})",
    "A number without a type can be floating-point or an integer. Give it a type: 1 as int32."};
inline constexpr DiagnosticKind value_missing{
    "TEL-E0345", error, "'{name}' has the role '{role}' and no expression",
    "Only a value that is supplied from outside, an 'in' or a 'const' that is loaded, has no expression."};
inline constexpr DiagnosticKind value_of_input{
    "TEL-E0346", error, "the input '{name}' cannot have an expression",
    "An 'in' is supplied by the caller, so it cannot be computed."};
inline constexpr DiagnosticKind stored_extent_free{
    "TEL-E0347", error, "the {role} '{name}' has the free dimension {dimension}",
    "Parameters and loaded constants are stored with the program: their shapes are constant."};
inline constexpr DiagnosticKind param_not_floating{
    "TEL-E0348", error, "the param '{name}' is {type}, which cannot be trained",
    "A param is trained by its derivative, and only floating-point types have derivatives."};
inline constexpr DiagnosticKind loss_not_scalar{
    "TEL-E0349", error, "the loss '{name}' is {type}, not a floating-point scalar",
    "A loss is a single floating-point number. Reduce it with mean or sum."};
inline constexpr DiagnosticKind initializer_only{
    "TEL-E0350", error, "'{function}' can be used only in the initial value of a param",
    "Random numbers are drawn once, when parameters are initialized: W: param[3x3] = normal(0, 1)."};
inline constexpr DiagnosticKind draw_without_shape{
    "TEL-E0525", error, "'{function}' needs a shape here",
    "In the initial value of a param, random numbers are drawn for its shape, and once. Elsewhere they are "
    "drawn in each call, and the shape is an argument: normal(0, 1, to: [3 x 4])."};
inline constexpr DiagnosticKind orthogonal_rank{
    "TEL-E0351", error, "orthogonal() needs two axes, not {shape}",
    "The rows or the columns of the last two axes are made orthonormal."};
inline constexpr DiagnosticKind number_too_long{
    "TEL-E0352", error, "the exact result of '{operator}' has more than {number} binary digits",
    "Arithmetic on numbers alone is exact: they are fractions, and are rounded once, to the type that the "
    "expression around them has. A numerator or denominator has a limited number of digits. Once a number "
    "has a type, (1.001 as float64)^100000, the rest is computed in that type."};
inline constexpr DiagnosticKind numbers_take_long{
    "TEL-E0353", error, "the exact numbers of the module take too long to compute",
    "Arithmetic on numbers alone is exact, and takes the longer the more digits they have; together they "
    "may take a few seconds. Once a number has a type, (1.001 as float64)^100000, the rest is computed in "
    "that type."};
inline constexpr DiagnosticKind initializer_range{
    "TEL-E0354", error, "'{function}': {what is wrong with its arguments}",
    "random(low, high) draws from the numbers between its bounds, of which the lower one comes first. "
    "normal(mean, std) takes a standard deviation of at least 0."};
inline constexpr DiagnosticKind draw_in_constant{
    "TEL-E0355", error, "a constant cannot draw random numbers",
    "The value of a 'const' and an initial value are the same in every call, but dropout and "
    "normal(0, 1, to: [3]) draw new numbers in each. Numbers that are drawn once are the initial value of a "
    "param: random(0, 1)."};
inline constexpr DiagnosticKind rate_outside{
    "TEL-E0356", error, "the rate of dropout is {number}, expected 0 to 1",
    "The rate is the probability with which an element is dropped: 0 keeps everything, 0.5 drops half."};
inline constexpr DiagnosticKind unfit_operation{"TEL-E0399", error, "{operation}: {what is wrong}",
                                                "The instruction does not take these operands."};
inline constexpr DiagnosticKind dimension_fixed{
    "TEL-W0506", warning, "this works only where the free dimension {name} is {number}",
    "A free dimension has the value that each call gives it. Here it is compared with a constant, so a "
    "call with any other value is an error: a matrix product written with `*`, a reshape without the free "
    "dimension, or a transpose that is missing."};
inline constexpr DiagnosticKind dimensions_equal{
    "TEL-W0523", warning, "this works only where the free dimensions {first} and {second} are equal",
    "Free dimensions with different names have values of their own in each call. Here an axis of one meets "
    "an axis of the other, so a call with different values is an error: an index or a reduction along the "
    "wrong "
    "axis, a missing transpose, or two names for what is one dimension."};
inline constexpr DiagnosticKind steps_as_rows{
    "TEL-W0520", warning, "this works only where {extent} is {number}, the number of steps",
    "A recurrent block runs over the first axis of a sequence, and each step gets what is behind it. Here an "
    "extent of the step must be the number of steps, which happens where the sequence has the batch first "
    "and "
    "the time behind it: the block then runs over the batch. A transpose brings the time to the front."};
inline constexpr DiagnosticKind number_as_axis{
    "TEL-W0507", warning, "'{function}' compares each element with {number}, which is no axis",
    "max(a, b) takes the larger of each pair. The largest along an axis is max(x, along: -1)."};
inline constexpr DiagnosticKind stacked_list{
    "TEL-W0524", warning, "the list is one operand of 'stack': its {number} elements are joined first",
    "stack(a, b) joins tensors along a new axis. Of a list it gets one tensor, whose elements have been "
    "joined "
    "along an axis that they have already; the new axis has extent 1."};
inline constexpr DiagnosticKind not_finite{"TEL-W0508", warning, "'{expression}' is {value}",
                                           "A division of floating-point numbers by 0 is infinite, and 0 / 0 "
                                           "is not a number (NaN). Both spread to all "
                                           "that is computed from them."};
inline constexpr DiagnosticKind applied_twice{
    "TEL-W0519", warning, "'{loss}' takes the {function} of {argument}, which is a {function} already",
    "The loss takes the values before the softmax or sigmoid, because their logarithm is exact only "
    "together. "
    "Of probabilities it takes the softmax once more: the network still trains, but to the wrong values."};
inline constexpr DiagnosticKind softmax_of_one{
    "TEL-W0502", warning, "'{function}' along axis {axis} of {type}, which has extent 1, is constant",
    "The results of softmax sum to 1 along the axis, so a single element is always 1. The probability that "
    "belongs to one logit is sigmoid(x)."};

}  // namespace frontend::check
