// Types and extents as they are written in TEL, for messages.
#pragma once

#include <string>

#include "frontend/check/checked_module.h"

namespace frontend::check {

/// `4*N + 1`, `N/2`, `?`
std::string spelling(const Extent& extent);
/// `[N x 784]`, `[]`
std::string spelling(const Shape& shape);
std::string_view spelling(ElementType element);
/// `float32[N x 784]`; a number without a type is `number[]`.
std::string spelling(const Type& type);
/// The text at the location, where it is short and on one line; else `otherwise`.
std::string quoted(const Location& location, std::string_view otherwise);
/// The same as an operand of `as`, `^T` or an operator: in parentheses where it needs them.
std::string quoted_operand(const Location& location);
/// The same transposed: without the `^T` that it has, or with one.
std::string quoted_transposed(const Location& location);
/// A text that is equal for equal extents only, also for those without a name.
std::string key(const Shape& shape);
/// "1 argument", "2 arguments"
std::string counted(std::size_t n, std::string_view what);

ElementType element_of(ast::ElementType type);

}  // namespace frontend::check
