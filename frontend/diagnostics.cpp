#include "frontend/diagnostics.h"

#include "frontend/parse/diagnostics.h"

namespace frontend {
namespace {

constexpr const dlvm::DiagnosticKind* kinds[] = {
    &syntax::source_too_large,
    &syntax::nul_byte,
    &syntax::invalid_utf8,
    &syntax::unterminated_comment,
    &syntax::unexpected_character,
    &syntax::malformed_number,
    &syntax::one_sided_dot,
    &syntax::joined_separator,
    &syntax::unclosed_bracket,
    &syntax::unmatched_bracket,
    &syntax::mismatched_bracket,
    &syntax::too_deep,
    &syntax::too_long,
    &syntax::expected,
    &syntax::expected_declaration,
    &syntax::reserved_word,
    &syntax::unknown_role,
    &syntax::unknown_element_type,
    &syntax::extent_not_integer,
    &syntax::dimension_named_x,
    &syntax::chained_comparison,
    &syntax::postfix_after_as,
    &syntax::nested_literal,
    &syntax::misplaced_header,
    &syntax::comma_in_shape,
    &syntax::equals_in_expression,
    &syntax::axis_not_integer,
    &syntax::name_is_no_declaration,
};

}  // namespace

std::span<const dlvm::DiagnosticKind* const> diagnostic_kinds() { return kinds; }

}  // namespace frontend
