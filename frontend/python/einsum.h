// `einsum("ij,jk->ik", a, b)` as an equation for each element.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace frontend::python {

/// Returns the equation for the call of `einsum` whose first argument, a text, begins with the quotation mark
/// at the byte `quote`: `y[i, k] = sum(a[i, j] * b[j, k] for j)`. It has the name of the declaration in that
/// line. Empty if no such call stands there, or it has no such equation.
std::string equation_of_einsum(std::string_view text, std::size_t quote);

}  // namespace frontend::python
