#include "frontend/check/types/dimensions.h"

#include <fmt/format.h>

#include <map>
#include <set>
#include <string>
#include <utility>

#include "frontend/check/diagnostics/name_diagnostics.h"
#include "frontend/check/diagnostics/type_diagnostics.h"

namespace frontend::check {

std::optional<Extent> combine_extents(const Extent& left, char symbol, const Extent& right, Location location,
                                      dlvm::Diagnostics& diagnostics) {
  if (symbol == '/' && right.is(0)) {
    diagnostics.report(division_by_zero, location);
    return std::nullopt;
  }
  Extent result = symbol == '+'   ? left + right
                  : symbol == '-' ? left - right
                  : symbol == '*' ? left * right
                                  : Extent::floor_divide(left, right);
  if (result.valid()) return result;
  diagnostics.report(extent_overflow, location);
  return std::nullopt;
}

void check_quotient(std::string_view left, std::string_view right, Location location,
                    dlvm::Diagnostics& diagnostics) {
  const auto dividend = Number::parse(left), divisor = Number::parse(right);
  const auto quotient = dividend && divisor ? *dividend / *divisor : std::nullopt;
  if (!quotient || quotient->is_integer()) return;
  diagnostics.report(quotient_rounded, location, fmt::format("{}/{}", left, right), quotient->floor().text())
      .fix(fmt::format("write {}", quotient->floor().text()));
}

std::optional<Extent> evaluate_extent(const ast::Extent& e,
                                      const std::function<std::optional<Extent>(const ast::Extent&)>& lookup,
                                      dlvm::Diagnostics& diagnostics) {
  using Kind = ast::Extent::Kind;
  switch (e.kind) {
    case Kind::number: {
      const auto value = Number::parse(e.text);
      if (value && value->integer()) return Extent(*value->integer());
      diagnostics.report(extent_overflow, e.location);
      return std::nullopt;
    }
    case Kind::name:
    case Kind::member:  // no dimension has such a name
      return lookup(e);
    case Kind::unknown:
      diagnostics.report(misplaced_unknown, e.location, "arithmetic");
      return std::nullopt;
    case Kind::rest:
      diagnostics.report(misplaced_rest, e.location, e.text);
      return std::nullopt;
    case Kind::negate: {
      const auto operand = evaluate_extent(e.operands[0], lookup, diagnostics);
      if (!operand) return std::nullopt;
      return combine_extents(0, '-', *operand, e.location, diagnostics);
    }
    case Kind::chain: {
      auto result = evaluate_extent(e.operands[0], lookup, diagnostics);
      if (const ast::Extent &left = e.operands[0], &right = e.operands[1];
          left.kind == Kind::number && right.kind == Kind::number && e.operators[0].symbol == '/')
        check_quotient(left.text, right.text, e.operators[0].location, diagnostics);
      for (std::size_t i = 0; i < e.operators.size() && result; ++i) {
        const auto right = evaluate_extent(e.operands[i + 1], lookup, diagnostics);
        if (!right) return std::nullopt;
        result =
            combine_extents(*result, e.operators[i].symbol, *right, e.operators[i].location, diagnostics);
      }
      return result;
    }
  }
  return std::nullopt;
}

namespace {

void find_given(const Scope& scope, const std::string& name, std::map<std::string, std::int64_t>& given,
                std::set<std::pair<const Scope*, std::string>>& seen) {
  if (!seen.emplace(&scope, name).second) return;
  if (const auto found = scope.dimensions.find(name);
      found != scope.dimensions.end() && found->second.given) {
    given.emplace(name, *found->second.given);
    return;
  }
  for (const ast::Dimension& each : scope.syntax->dimensions)
    if (each.name.text == name && each.value)
      for_each_name(*each.value, [&](const ast::Extent& used) { find_given(scope, used.text, given, seen); });
  for (const Scope* import : scope.imports) find_given(*import, name, given, seen);
}

}  // namespace

void explain_given(dlvm::Diagnostic& report, const Scope& scope, const std::string& name) {
  std::map<std::string, std::int64_t> given;
  std::set<std::pair<const Scope*, std::string>> seen;
  find_given(scope, name, given, seen);
  for (const auto& [dimension, value] : given)
    report.note(fmt::format("the command line gives '{0}' the value {1}: -D {0}={1}", dimension, value));
}

void for_each_name(const ast::Extent& e, const std::function<void(const ast::Extent&)>& visit) {
  if (e.kind == ast::Extent::Kind::name) visit(e);
  for (const ast::Extent& operand : e.operands) for_each_name(operand, visit);
}

}  // namespace frontend::check
