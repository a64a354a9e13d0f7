// The rules of algebra simplification: pattern, condition, result; a family a file. Each result has fewer
// instructions than its pattern, or the same number of cheaper ones; so applying them comes to an end.
#pragma once

#include "dlvm/transform/rewrite.h"

namespace dlvm::algebra {

std::span<const RewriteRule> arithmetic_rules();
std::span<const RewriteRule> logic_rules();
std::span<const RewriteRule> shape_rules();
std::span<const RewriteRule> aggregate_rules();
/// Returns the rules that apply only after differentiation.
std::span<const RewriteRule> canonical_rules();

/// The right operand where the left is the literal, and the other way: for rules of commutative instructions.
struct WithLiteral {
  Value* other = nullptr;
  const Literal* literal = nullptr;
  explicit operator bool() const { return literal != nullptr; }
};
WithLiteral with_literal(const Instruction& i);

}  // namespace dlvm::algebra
