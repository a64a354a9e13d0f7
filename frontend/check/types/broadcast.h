// Shapes of operands that have to fit each other.
#pragma once

#include <string_view>

#include "frontend/check/types/extents.h"

namespace frontend::check {

/// Makes the operands' shapes ones that the IR broadcasts; else reports.
bool align_shapes(BodyContext& context, Node*& a, Node*& b, std::string_view what, Location location,
                  std::string_view a_role = "the left side", std::string_view b_role = "the right side");
/// Adds a note to a message: what type the value has and where it comes from.
void explain_value(BodyContext& context, dlvm::Diagnostic& diagnostic, const Node* x, std::string_view role);

}  // namespace frontend::check
