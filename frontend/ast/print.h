// The abstract syntax as text, for `telc --emit=ast`: a line a declaration, expressions fully bracketed with
// the operator first, `(+ (• x W1) b1)`.
#pragma once

#include <string>

#include "frontend/ast/ast.h"

namespace frontend::ast {

std::string print(const Module& module);
std::string print(const Expression& e);
std::string print(const Extent& extent);
std::string print(const Shape& shape);
std::string print(const Type& type);
std::string print(const Block& block);

}  // namespace frontend::ast
