// The rules behind the placeholders of rows that begin with `=`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "frontend/python/binding.h"

namespace frontend::python::rules {

using Text = std::optional<std::string>;
using Extents = std::vector<std::string>;

/// Returns `x[:, 0:2]`, where the slice or the index is that of the axis.
std::string sliced(const Value& x, std::size_t axis, std::string_view slice);
/// Returns the integers of a list, or the one that a value is; nothing where one is none.
std::optional<std::vector<std::int64_t>> integers(const Value* value);

// Slices and copies, in slices.cpp.

/// Returns the value with elements that go around along an axis.
Text rolled(const Binding& call);
/// Returns the differences of neighbours along an axis, by default the last.
Text difference(const Binding& call);
/// Returns `length` elements of an axis from `start` on.
Text narrowed(const Binding& call);
/// Returns copies of a short operand along one axis.
Text tiled(const Binding& call);
/// Returns each element several times.
Text repeated(const Binding& call);
/// Returns the parts of an axis with a constant extent, by their number, their sizes or where they begin.
std::optional<std::vector<std::string>> parts(const Binding& call);
/// Returns rows of numbers of elements before and behind, which NumPy gives as a number or a pair for each
/// axis.
Text padded_axes(const Binding& call);
/// Returns the same rows, of pairs from the last axis on, as PyTorch gives them.
Text padded_from_last(const Binding& call);

// Choices, in choices.cpp.

/// Returns the variance, divided by the number of elements or by one less, unless a flag says otherwise.
Text variance_by_count(const Binding& call);
Text variance_by_one_less(const Binding& call);
/// Returns tensors below each other: vectors as rows, others along their first axis.
Text stacked_rows(const Binding& call);
/// Returns vectors behind each other, others along their second axis.
Text side_by_side(const Binding& call);
/// Returns the value backwards along all its axes.
Text backwards(const Binding& call);
/// Returns the matrix whose diagonal is a vector.
Text diagonal(const Binding& call);
/// Returns numbers from `start` to before `n` in steps, which are constants.
Text progression(const Binding& call);
/// Returns the window that leaves the wanted number of elements of each axis.
Text window_of_pooling(const Binding& call);

}  // namespace frontend::python::rules
