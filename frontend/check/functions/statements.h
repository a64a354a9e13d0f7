// The statements of a function's body.
#pragma once

#include <vector>

#include "frontend/ast/statement.h"
#include "frontend/check/body_context.h"
#include "frontend/check/functions/results.h"

namespace frontend::check {

/// Checks the body of a function, whose values and statements then are in the context's body. Returns false
/// after an error, and where something is waited for.
bool check_function_body(BodyContext& context, Results& results);

/// Returns the values that the statements need.
std::vector<Node*> needed_values(const std::vector<Statement>& statements);

/// Calls `visit` for each statement, those inside others included.
template <typename Visit>
void for_each_statement(const std::vector<Statement>& statements, const Visit& visit) {
  for (const Statement& statement : statements) {
    visit(statement);
    for (const Statement::Branch& branch : statement.branches) for_each_statement(branch.body, visit);
  }
}

}  // namespace frontend::check
