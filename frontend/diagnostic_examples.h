#pragma once

#include <string_view>

#include "frontend/examples/examples.h"

namespace frontend {

/// Returns the example of a code with its family, TEL-E0301, or null.
const Example* example_of(std::string_view code);

}  // namespace frontend
