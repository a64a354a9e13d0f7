// The mistakes in index notation: TEL-E037x and TEL-E038x.
#pragma once

#include "dlvm/support/diagnostic.h"

namespace frontend::check {

inline constexpr dlvm::DiagnosticKind index_bound_twice{
    "TEL-E0371", dlvm::Severity::error, "the index '{name}' is bound twice",
    "Within one equation an index is bound once, on the left or by one `for`. For the diagonal of a matrix "
    "the right side has the index twice: d[i] = A[i, i]."};
inline constexpr dlvm::DiagnosticKind index_extents_differ{
    "TEL-E0372", dlvm::Severity::error, "the index '{name}' stands for axes of extents {extent} and {other}",
    "An index that stands alone in a subscript runs over the whole axis, so all such axes have the same "
    "extent. A part of an axis is taken with a range, sum(x[k] for k in 0..3), or a slice, x[0:3]."};
inline constexpr dlvm::DiagnosticKind element_outside{
    "TEL-E0373", dlvm::Severity::error,
    "the subscript {subscript} is {relation} axis {axis}, which has extent {extent}",
    "Every access must be inside of its tensor; nothing is clamped, and in index notation no subscript that "
    "is "
    "a sum of indices and constants counts from the end. Indices without a written range count from 0."};
inline constexpr dlvm::DiagnosticKind index_without_range{
    "TEL-E0374", dlvm::Severity::error, "nothing says how far the index '{name}' runs",
    "An index that stands alone in a subscript has the extent of that axis. One that is only part of "
    "subscripts has the largest range that keeps these inside, if the other indices there have ranges. "
    "Otherwise the range is written."};
inline constexpr dlvm::DiagnosticKind index_without_values{
    "TEL-E0375", dlvm::Severity::error, "the index '{name}' has no values: its range is {range}",
    "A range a..b holds a, a + 1, ... b - 1. With constant bounds it must not be empty."};
inline constexpr dlvm::DiagnosticKind element_not_scalar{
    "TEL-E0376", dlvm::Severity::error, "an element is a scalar, not {type}",
    "The right side of an equation with indices, and what a reduction with `for` combines, is one element: "
    "every tensor in it has a subscript for each of its axes."};
inline constexpr dlvm::DiagnosticKind subscripts_missing{
    "TEL-E0377", dlvm::Severity::error, "{subscripts} for {type}",
    "In index notation a tensor has a subscript for each of its axes, so that the access is one element."};
inline constexpr dlvm::DiagnosticKind slice_among_indices{
    "TEL-E0378", dlvm::Severity::error, "a slice beside an index",
    "In index notation every subscript is a position. A slice is taken first, x[0:3, :][i, j], or an index "
    "with a range runs over it."};
inline constexpr dlvm::DiagnosticKind not_of_elements{
    "TEL-E0379", dlvm::Severity::error, "{operation} cannot be computed for each element",
    "The expression of an element combines scalars: by operators, elementwise functions, conditions, "
    "reductions with `for`, and calls of functions that do the same. Tensors made of indexed values are "
    "equations of their own."};
inline constexpr dlvm::DiagnosticKind not_a_reduction{
    "TEL-E0380", dlvm::Severity::error, "'{name}' is not a reduction",
    "Indices are bound by the reductions sum, product, min, max, mean, any and all."};
inline constexpr dlvm::DiagnosticKind index_as_extent{
    "TEL-E0381", dlvm::Severity::error, "the index '{name}' is not known when compiling",
    "An index has a different value for each element. Axes, shapes and the bounds of ranges are the same for "
    "all of them: they are made of numbers and dimensions."};
inline constexpr dlvm::DiagnosticKind indices_without_value{
    "TEL-E0382", dlvm::Severity::error, "'{name}' has indices and the role '{role}'",
    "What is supplied from outside, or trained, is declared with its shape, without indices. An equation "
    "computes a value: a hidden (or layer), an out, or a const."};
inline constexpr dlvm::DiagnosticKind element_takes_long{
    "TEL-E0383", dlvm::Severity::error, "a function called for each element has more than {what}",
    "A function that is called in the expression of an element is computed in place, with all that it "
    "calls."};
inline constexpr dlvm::DiagnosticKind draw_of_element{
    "TEL-E0527", dlvm::Severity::error,
    "'{function}' draws random numbers, and cannot be called for each element",
    "In index notation an expression is taken for all elements at once, so that all of them would get the "
    "same "
    "number. Draw a tensor in an equation of its own, and use its elements."};

}  // namespace frontend::check
