// Subscripts whose positions are extents: one position, or a slice.
#pragma once

#include <optional>

#include "frontend/check/body_context.h"

namespace frontend::check {

/// Says what one subscript does to its axis.
struct Selection {
  Extent first, end;      ///< of the axis, or (where `reversed`) of the axis run backwards
  std::int64_t step = 1;  ///< at least 1
  bool reversed = false, single = false;
  Node* gathered = nullptr;  ///< the index tensor
  Location location;
};

/// The position of the subscript, an extent, on this axis of `x`; nothing after a mistake.
std::optional<Selection> selected_position(BodyContext& context, Node* x, const ast::Subscript& s,
                                           std::size_t axis);
/// The same for a slice.
std::optional<Selection> selected_slice(BodyContext& context, Node* x, const ast::Subscript& s,
                                        std::size_t axis);

}  // namespace frontend::check
