// Types and extents as they are written in TEL, for messages.
#pragma once

#include <string>

#include "frontend/check/checked_module.h"

namespace frontend::check {

/// Returns the extent as TEL writes it: `4*N + 1`, `N/2`, `?`.
std::string spelling(const Extent& extent);
/// Returns the shape as TEL writes it: `[N x 784]`, `[]`.
std::string spelling(const Shape& shape);
std::string_view spelling(ElementType element);
/// Returns the type as TEL writes it: `float32[N x 784]`; a number without a type is `number[]`.
std::string spelling(const Type& type);
/// Returns the name of the struct or enum, with the extents that it has for its dimensions where they are
/// others: `Batch with N = 8`.
std::string spelling(const DeclaredType& type);
/// Returns the text at the location if it is short and on one line, or else `otherwise`.
std::string quoted(const Location& location, std::string_view otherwise);
/// Returns the text at the location as an operand of `as`, `^T` or an operator: in parentheses if it needs
/// them.
std::string quoted_operand(const Location& location);
/// Returns the conversion of what is written there to the element type, `x as int32`; in the place of one to
/// another element type that stands there.
std::string converted(const Location& location, ElementType type);
/// Returns that operand transposed: without the `^T` that it has, or with one.
std::string quoted_transposed(const Location& location);
/// Returns a text that is equal for equal shapes only, also for extents without a name.
std::string key(const Shape& shape);
/// Returns the role as a noun: "an 'in'", "a 'param'".
std::string with_article(ast::Role role);
/// Returns the number with its noun: "1 argument", "2 arguments".
std::string counted(std::size_t n, std::string_view what);

ElementType element_of(ast::ElementType type);

}  // namespace frontend::check
