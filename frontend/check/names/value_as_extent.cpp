#include "frontend/check/names/value_as_extent.h"

#include <fmt/format.h>

#include "frontend/check/diagnostics/name_diagnostics.h"
#include "frontend/check/types/number.h"
#include "frontend/check/types/spelling.h"

namespace frontend::check {
namespace {

/// A whole number, of which the value is known unless it depends on a free dimension.
struct Whole {
  std::optional<Number> number;
};

std::optional<Whole> whole_of(const std::optional<Number>& number) {
  return number && number->is_integer() ? std::optional(Whole{number}) : std::nullopt;
}

std::optional<Whole> whole_number(const ast::Expression& e, const Scope& scope);

/// Returns what an operator of extents gives; nothing for a quotient that is not known to be whole.
std::optional<Whole> combined(const Whole& left, ast::BinaryOperator op, const Whole& right) {
  using enum ast::BinaryOperator;
  if (op != add && op != subtract && op != multiply && op != divide) return std::nullopt;
  if (!left.number || !right.number) return op == divide ? std::nullopt : std::optional(Whole{});
  const Number &a = *left.number, &b = *right.number;
  return whole_of(op == add ? a + b : op == subtract ? a - b : op == multiply ? a * b : a / b);
}

std::optional<Whole> whole_number(const ast::Binary& e, const Scope& scope) {
  auto value = whole_number(*e.operands.front(), scope);
  for (std::size_t i = 0; value && i < e.operators.size(); ++i) {
    const auto right = whole_number(*e.operands[i + 1], scope);
    value = right ? combined(*value, e.operators[i].op, *right) : std::nullopt;
  }
  return value;
}

/// Returns the value of an expression that may stand in the place of an extent; nothing for others.
std::optional<Whole> whole_number(const ast::Expression& e, const Scope& scope) {
  if (const auto* number = ast::if_a<ast::Number>(e))
    return number->text.find('.') == std::string::npos ? whole_of(Number::parse(number->text)) : std::nullopt;
  if (const auto* binary = ast::if_a<ast::Binary>(e)) return whole_number(*binary, scope);
  if (const auto* unary = ast::if_a<ast::Unary>(e); unary != nullptr) {
    if (unary->op != ast::UnaryOperator::negate) return std::nullopt;
    const auto value = whole_number(*unary->operand, scope);
    return value && value->number ? std::optional(Whole{-*value->number}) : value;
  }
  const auto* name = ast::if_a<ast::NameReference>(e);
  const auto found = name != nullptr ? scope.dimensions.find(name->text) : scope.dimensions.end();
  if (found == scope.dimensions.end() || found->second.failed) return std::nullopt;
  const auto constant = found->second.extent.constant();
  return Whole{constant ? std::optional(Number(*constant)) : std::nullopt};
}

/// Suggests what may have been meant; the type of the value is known as it is written only.
std::string likely(const Declaration& value, std::string_view name) {
  const ast::Declaration& syntax = *value.syntax;
  if (syntax.type.shape && !syntax.type.shape->extents.empty())
    return fmt::format("write one of its extents, by its name or number: the shape of {} is {}", name,
                       quoted(syntax.type.shape->location, "[...]"));
  const std::string dimension = as_dimension(value, name, 1);
  if (!dimension.empty()) return "declare a dimension in its place: " + dimension;
  if (syntax.role == ast::Role::in) return fmt::format("declare a dimension in its place: dim {}", name);
  return fmt::format(
      "an extent must be known when the module is compiled: a number, or a dimension, dim {}_ = 4", name);
}

}  // namespace

std::string as_dimension(const Declaration& value, std::string_view name, std::int64_t least) {
  const ast::Declaration& syntax = *value.syntax;
  if (!syntax.value) return "";
  const auto* literal = ast::if_a<ast::Number>(*syntax.value);
  const auto whole =
      literal != nullptr ? whole_of(Number::parse(literal->text)) : whole_number(*syntax.value, *value.scope);
  if (!whole || (whole->number && *whole->number < Number(least))) return "";
  return fmt::format("dim {} = {}", name,
                     literal != nullptr ? whole->number->text() : quoted(syntax.value->location, "..."));
}

void report_value_as_extent(const Declaration& value, std::string_view name, Location location,
                            dlvm::Diagnostics& diagnostics) {
  diagnostics.report(value_as_extent, location, name)
      .note(value.location, fmt::format("'{}' is declared here, a value", name))
      .fix(likely(value, name));
}

}  // namespace frontend::check
