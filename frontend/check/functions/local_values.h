// Values of statements: what a variable is declared with or assigned, conditions, bounds of loops.
#pragma once

#include <optional>
#include <vector>

#include "frontend/ast/statement.h"
#include "frontend/check/body_context.h"

namespace frontend::check {

/// Adds a variable to the body, and its name to those known here. Returns nothing if the name is taken.
std::optional<std::size_t> declare(BodyContext& context, const ast::Name& name, Variable variable);
/// Returns the number of the `var` of this name; reports any other name.
std::optional<std::size_t> assignable(BodyContext& context, const ast::Name& name);
/// Warns of those of these variables that nothing uses.
void warn_of_unused(BodyContext& context, const std::vector<std::size_t>& variables);

/// Returns the values of `let` or `var`, one for each name.
std::vector<Node*> declared_values(BodyContext& context, const ast::Statement& s);
/// Returns the value of an assignment, with the variable's type.
Node* assigned_value(BodyContext& context, const ast::Expression& e, std::size_t variable);
/// Returns the value, or its results where it is a call with several, for `count` names. Where they are not
/// as many, that is reported at `names`, and all are null.
std::vector<Node*> values_for(BodyContext& context, Node* value, std::size_t count, Location names);
/// Returns the results of a call of a function with several.
std::vector<Node*> parts_of(BodyContext& context, Node* call);
/// Returns a scalar of type bool.
Node* check_condition(BodyContext& context, const ast::Expression& e);
/// Returns a scalar of type int64.
Node* check_bound(BodyContext& context, const ast::Expression& e);
/// Returns whether the value is a constant or an extent that is not negative.
bool is_at_least_zero(const Node* x);

}  // namespace frontend::check
