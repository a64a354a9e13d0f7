// One function for each kind of expression. The value that it gives is null if there was a mistake, which
// has been reported, and where something is waited for.
#pragma once

#include "frontend/check/body_context.h"

namespace frontend::check {

/// Returns whether `x` is a call of a function with several results, or a gradient by several values.
bool has_several_results(const Node& x);
/// Returns their types; that of any other value is the one.
std::vector<Type> result_types(const Node& x);
/// Checks any expression. Its value is one tensor, unless the context allows several results, or a struct or
/// an enum.
Node* check_expression(BodyContext& context, const ast::Expression& e, Hint hint = {});
/// Checks an expression whose value may be a struct or an enum.
inline Node* check_any_expression(BodyContext& context, const ast::Expression& e, Hint hint = {}) {
  context.declared_allowed = true;
  return check_expression(context, e, hint);
}

Node* check_name(BodyContext& context, const ast::NameReference& e);
Node* check_member(BodyContext& context, const ast::Member& e);
Node* check_conditional(BodyContext& context, const ast::If& e, Hint hint);
Node* check_match(BodyContext& context, const ast::Match& e, Hint hint);
Node* check_index(BodyContext& context, const ast::Index& e, Hint hint);
Node* check_as(BodyContext& context, const ast::As& e, Hint hint);
Node* check_concatenation(BodyContext& context, const ast::Concatenation& e, Hint hint);
Node* check_matrix(BodyContext& context, const ast::Matrix& e, Hint hint);
Node* check_next(BodyContext& context, const ast::Next& e);
Node* check_transpose(BodyContext& context, const ast::Transpose& e, Hint hint);

}  // namespace frontend::check
