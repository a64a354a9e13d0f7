// Extents and shapes as they are written, numbers known now, and what has to hold between extents.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/check/body_context.h"

namespace frontend::check {

/// A shape as it is declared: nothing if `?` accepts any extent.
using ShapePattern = std::vector<std::optional<Extent>>;

/// Adds to a message the notes that say where the values it speaks of come from.
using Explanation = std::function<void(dlvm::Diagnostic&)>;

/// Returns the extent that the name of a dimension means.
std::optional<Extent> named_extent(BodyContext& context, const std::string& name, Location location,
                                   bool may_be_new);
/// Returns the extent, in which every name must be that of a dimension that is declared, or used, elsewhere.
std::optional<Extent> known_extent(BodyContext& context, const ast::Extent& e);
std::optional<Extent> check_extent(BodyContext& context, const ast::Extent& e);
std::optional<Extent> check_extent(BodyContext& context, const ast::Expression& e);
/// Says what the author of an extent of -1 means by it, which other languages write for one that is not
/// given.
enum class Omitted : std::uint8_t {
  follows,  ///< it follows from the others, or from a value: `?`
  chosen,   ///< each call chooses it: a name
  known,    ///< it must be written
};
std::optional<ShapePattern> check_pattern(BodyContext& context, const ast::Shape& shape,
                                          Omitted omitted = Omitted::follows);
/// Checks a shape without `?`.
std::optional<Shape> check_shape(BodyContext& context, const ast::Shape& written, std::string_view what);
bool knows_dimension(const BodyContext& context, const std::string& name);

/// Returns whether the extents are equal; false if they provably differ. An equality that cannot be proved
/// becomes a requirement on the entry point's inputs, whose violation `text` describes (with {left} and
/// {right}). Warns if only one value of one free dimension makes them equal, or if they are two free
/// dimensions, with the notes of `explanation`; `likely` is then the fix.
bool require_equal(BodyContext& context, const Extent& left, const Extent& right, std::string text,
                   Location location, const Explanation& explanation, const std::string& likely = {});
/// Warns at a call of a function, outside of functions, where what the body of the function requires holds
/// for one value of one free dimension only, or where two of them are equal.
void warn_about_requirements(BodyContext& context, const std::vector<dlvm::Requirement>& requirements,
                             Location call);
bool require_at_most(BodyContext& context, const Extent& left, const Extent& right, std::string text,
                     Location location);

/// Returns false, and reports it, if a number that is no integer stands in the expression: itself, or an
/// operand of arithmetic. `what` is what the expression should be, "an index".
bool require_integers(BodyContext& context, const ast::Expression& e, std::string_view what);
/// Returns the fix for a number that is no integer, where one is wanted.
std::string integers_beside(const Number& number);

/// Returns an integer that is known now: a number, possibly with a sign, a constant extent, or an axis
/// parameter.
std::optional<std::int64_t> constant_integer(BodyContext& context, const ast::Expression& e,
                                             std::string_view what);
/// Returns the value of `true`, `false`, or a flag parameter of the function.
std::optional<bool> constant_flag(BodyContext& context, const ast::Expression& e);
/// Returns the axis counted from 0, and reports an axis that does not exist.
std::optional<std::int64_t> counted_axis(BodyContext& context, std::int64_t written, std::size_t rank,
                                         Location location);

}  // namespace frontend::check
