// Fixes for names and calls of PyTorch and NumPy.
#pragma once

#include "frontend/check/body_context.h"

namespace frontend::check {

/// Adds what TEL writes for the expression of another language at the location to the message. Returns false
/// if nothing is known.
bool add_translation(BodyContext& context, dlvm::Diagnostic& report, const Location& location);

/// Returns the type of a value whose name is visible there, or null if it is not known yet.
const Type* type_of_name(const BodyContext& context, std::string_view name);

}  // namespace frontend::check
