// The cases of a `match`.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "frontend/ast/statement.h"
#include "frontend/check/body_context.h"

namespace frontend::check {

/// The block or the value behind each case: `leaf(v) { … }`, or `leaf(v) => …`.
enum class CaseForm : std::uint8_t { block, value };

/// Checks the value that a match takes apart, an enum.
Node* check_matched(BodyContext& context, const ast::Expression& e, CaseForm form);
/// Returns for each written case of the match at `place` its position in the enum. Nothing, with a report for
/// each mistake, where not each case of the enum is written once, with as many names as it has values.
std::optional<std::vector<std::size_t>> order_of_cases(BodyContext& context,
                                                       const std::vector<ast::Case>& cases, Location place,
                                                       const DeclaredType& type, CaseForm form);
/// Declares the names of a case, and adds the variables that have them to `payload`; after a mistake in the
/// type or the case they stand for nothing. Returns false if a name is taken.
bool declare_payload(BodyContext& context, const ast::Case& written, const DeclaredType* type,
                     std::vector<std::optional<std::size_t>>& payload);

}  // namespace frontend::check
