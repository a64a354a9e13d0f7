// Fixes for names that nothing declares, from where they stand.
#pragma once

#include <string>

#include "frontend/check/body_context.h"

namespace frontend::check {

/// Returns the declaration of a parameter or an input that suits the name's place beside a product, and else,
/// for a name in capitals, that of a dimension or a parameter; empty if neither is likely.
std::string declaration_of_unknown(const BodyContext& context, const std::string& name,
                                   const Location& location);

}  // namespace frontend::check
