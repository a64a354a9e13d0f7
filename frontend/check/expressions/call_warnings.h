#pragma once

#include <span>

#include "dlvm/support/diagnostic.h"
#include "frontend/check/checked_module.h"

namespace frontend::check {

/// Warns about a loss that applies softmax or sigmoid to what is a result of that already. The call stands in
/// `body`.
void warn_about_probabilities(dlvm::Diagnostics& diagnostics, const Body& body, const Instance& callee,
                              std::span<Node* const> operands, Location location);

/// Warns about a softmax along an axis of extent 1, which is 1 everywhere.
void warn_about_axis(dlvm::Diagnostics& diagnostics, const Instance& callee, Location location);

}  // namespace frontend::check
