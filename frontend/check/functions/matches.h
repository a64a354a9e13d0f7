// The cases of a `match`.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "frontend/ast/statement.h"
#include "frontend/check/body_context.h"

namespace frontend::check {

/// Checks the value that a match takes apart, an enum.
Node* check_matched(BodyContext& context, const ast::Expression& e);
/// Returns the types of the payload of the case; null where there is no such case, or no type.
const std::vector<Type>* payload_of(const DeclaredType* type, std::string_view name);
/// Returns for each block of the match the position of its case in the enum. Nothing, with a report for each
/// mistake, where there is not one block for each case, with as many names as the case has values.
std::optional<std::vector<std::size_t>> order_of_cases(BodyContext& context, const ast::Statement& s,
                                                       const DeclaredType& type);

}  // namespace frontend::check
