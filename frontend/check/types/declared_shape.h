// Shapes that are declared for values.
#pragma once

#include <string_view>

#include "frontend/check/types/extents.h"

namespace frontend::check {

/// Gives `x` the shape declared; reports where it has another.
Node* conform(BodyContext& context, Node* x, const ShapePattern& shape, Location declared,
              std::string_view what);

}  // namespace frontend::check
