// Extents and shapes as they are written, numbers known now, and what has to hold between extents.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/check/body_context.h"

namespace frontend::check {

/// A shape as it is declared: nothing where `?` accepts any extent.
using ShapePattern = std::vector<std::optional<Extent>>;

/// Adds to a message the notes that say where the values it speaks of come from.
using Explanation = std::function<void(dlvm::Diagnostic&)>;

std::optional<Extent> check_extent(BodyContext& context, const ast::Extent& e);
std::optional<Extent> check_extent(BodyContext& context, const ast::Expression& e);
std::optional<ShapePattern> check_pattern(BodyContext& context, const ast::Shape& shape);
/// Checks a shape without `?`.
std::optional<Shape> check_shape(BodyContext& context, const ast::Shape& written, std::string_view what);
bool knows_dimension(const BodyContext& context, const std::string& name);

/// Whether the extents are equal: what cannot be proved is required of the entry point's inputs, and `text`
/// (with {left} and {right}) says what is wrong where it does not hold. False where they provably differ.
/// Warns where one value of one free dimension alone makes them equal, with the notes of `explanation`;
/// `likely` is then the fix.
bool require_equal(BodyContext& context, const Extent& left, const Extent& right, std::string text,
                   Location location, const Explanation& explanation, const std::string& likely = {});
bool require_at_most(BodyContext& context, const Extent& left, const Extent& right, std::string text,
                     Location location);

/// An integer known now: a number, perhaps signed, an extent that is constant, or an axis parameter.
std::optional<std::int64_t> constant_integer(BodyContext& context, const ast::Expression& e,
                                             std::string_view what);
/// `true`, `false`, or a flag parameter of the function.
std::optional<bool> constant_flag(BodyContext& context, const ast::Expression& e);
/// The axis counted from 0; reports one that is outside.
std::optional<std::int64_t> counted_axis(BodyContext& context, std::int64_t written, std::size_t rank,
                                         Location location);

}  // namespace frontend::check
