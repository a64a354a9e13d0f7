#include "frontend/check/names/value_as_extent.h"

#include <fmt/format.h>

#include "frontend/check/diagnostics/name_diagnostics.h"
#include "frontend/check/types/spelling.h"

namespace frontend::check {
namespace {

/// Suggests what may have been meant; the type of the value is known as it is written only.
std::string likely(const Declaration& value, std::string_view name) {
  const ast::Declaration& syntax = *value.syntax;
  if (syntax.type.shape && !syntax.type.shape->extents.empty())
    return fmt::format("write one of its extents, by its name or number: the shape of {} is {}", name,
                       quoted(syntax.type.shape->location, "[...]"));
  const bool is_number = syntax.value && syntax.value->kind == ast::Expression::Kind::number;
  if (is_number || (syntax.role == ast::Role::constant && syntax.value))
    return fmt::format("declare a dimension in its place: dim {} = {}", name,
                       quoted(syntax.value->location, "..."));
  if (syntax.role == ast::Role::in) return fmt::format("declare a dimension in its place: dim {}", name);
  return fmt::format(
      "an extent must be known when the module is compiled: a number, or a dimension, dim {}_ = 4", name);
}

}  // namespace

void report_value_as_extent(const Declaration& value, std::string_view name, Location location,
                            dlvm::Diagnostics& diagnostics) {
  diagnostics.report(value_as_extent, location, name)
      .note(value.location, fmt::format("'{}' is declared here, a value", name))
      .fix(likely(value, name));
}

}  // namespace frontend::check
