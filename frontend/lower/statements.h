// Statements of a function's body to blocks.
#pragma once

#include "frontend/lower/body.h"

namespace frontend::lower {

/// Builds the statements of a function's body, to which `lowering` has given the parameters.
void lower_statements(const Body& body, BodyLowering& lowering);

}  // namespace frontend::lower
