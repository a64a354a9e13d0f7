// Arithmetic on extents as written, with messages.
#pragma once

#include <functional>
#include <optional>
#include <string_view>

#include "dlvm/support/diagnostic.h"
#include "frontend/check/checked_module.h"

namespace frontend::check {

/// Returns left symbol right, for one of the symbols + - * / (rounded down). Reports a division by 0 and a
/// result that is too large.
std::optional<Extent> combine_extents(const Extent& left, char symbol, const Extent& right, Location location,
                                      dlvm::Diagnostics& diagnostics);

/// Warns of a quotient of two written numbers that is no integer.
void check_quotient(std::string_view left, std::string_view right, Location location,
                    dlvm::Diagnostics& diagnostics);

/// Returns the extent's value, with `lookup` for its names; nothing after an error. The extent must not
/// contain `?` or `s...`.
std::optional<Extent> evaluate_extent(const ast::Extent& e,
                                      const std::function<std::optional<Extent>(const ast::Extent&)>& lookup,
                                      dlvm::Diagnostics& diagnostics);

/// Calls `visit` for every name in the extent.
void for_each_name(const ast::Extent& e, const std::function<void(const ast::Extent&)>& visit);

/// Notes the values that the command line gives to the dimension, or to those that it is computed from.
void explain_given(dlvm::Diagnostic& report, const Scope& scope, const std::string& name);

}  // namespace frontend::check
