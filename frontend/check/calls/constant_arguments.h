#pragma once

#include <cstdint>
#include <optional>

#include "frontend/check/body_context.h"

namespace frontend::check {

/// Returns the axis that an argument gives, which is known when the module is compiled; after an error, which
/// says how what the argument names would be known, nothing.
std::optional<std::int64_t> constant_axis(BodyContext& context, const ast::Expression& e);

/// Returns the condition that an argument gives, true or false; nothing after an error.
std::optional<bool> constant_condition(BodyContext& context, const ast::Expression& e);

}  // namespace frontend::check
