// Fixes of syntax errors that quote the text around the error, for what other languages write in another way.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "dlvm/support/diagnostic.h"
#include "frontend/parse/token.h"

namespace frontend::syntax {

/// The place at which the text did not fit the grammar.
struct Place {
  const std::vector<Token>& code;
  const Chunk& chunk;
  std::size_t position;                  ///< the position of the token that does not fit
  const std::vector<std::size_t>& open;  ///< the brackets that are open there
  bool equals;                           ///< it stands behind the declaration's `=`
};

/// Returns `x as float32` for `float32(x)` and `x.astype(np.float32)`; empty if the error is neither.
std::string fix_of_conversion(const Place& place);
/// Returns the shape or list that `(3, 4)` means; empty if the error is at no tuple.
std::string fix_of_tuple(const Place& place);
/// Returns what is meant by `x is None` and `x is y`. The error is at the `is`.
std::string fix_of_is(const Place& place);
/// Returns what is meant where no operator, or a sign that is none, stands between two operands: the products
/// of `W x` and `2 x`, `h[t-1]` for `h.(t-1)`, a pipe for `x -> f`, `0.5` for `.5`; nothing if the error is
/// at none.
std::optional<dlvm::Fix> fix_of_operands(const Place& place);
/// Returns the slice `1:4` that `1..4` and `1...4` mean; nothing if the error is not at such dots in a
/// subscript.
std::optional<dlvm::Fix> fix_of_dots(const Place& place);
/// Returns `along: …` for `along=1`. The error is at the `=`.
std::string fix_of_named_argument(const Place& place);
/// Returns `param[auto]` for `param auto`, and the name in files before the scale for `scale s from "w"`;
/// nothing if the error is neither.
std::optional<dlvm::Fix> fix_of_declared_parts(const Place& place);
/// Returns what has a next value where one is given to a member, `s.a' = x`, which begins at the error; empty
/// if it is no such declaration.
std::string fix_of_next_member(const Place& place);

}  // namespace frontend::syntax
