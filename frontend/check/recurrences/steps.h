// Expressions in the steps of a recurrent block: names, `h[t-1]`, and `sequence(h)` behind it.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "frontend/check/body_context.h"
#include "frontend/check/calls/call.h"

namespace frontend::check {

/// Returns k for `0-k`, where k is at least 1.
std::optional<std::int64_t> lag_before_first(const ast::Expression& step);
/// Returns what the name means in the steps of the blocks in which the expression is written, from the
/// inside; null where no block has the name.
Declaration* find_in_steps(const BodyContext& context, std::string_view name);
/// The value of a name in a step: a value of the step, or the position in time.
Node* make_step_value(BodyContext& context, Declaration& declaration, Location location);
/// The value of `h[t-1]`, null after an error; nothing where the brackets hold no step.
std::optional<Node*> check_step(BodyContext& context, const ast::Index& e);
/// The value of `sequence(h)`.
Node* check_sequence(BodyContext& context, std::span<Argument> arguments, Location location);

}  // namespace frontend::check
