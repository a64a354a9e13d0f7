#pragma once

#include <functional>

#include "codegen/schedule/ir/schedule.h"

namespace codegen::schedule {

/// What a statement accesses: an element, or a tile.
struct Place {
  BufferId& buffer;
  std::vector<Index>& indices;  ///< of a tile its origin
  Shape* sizes = nullptr;       ///< of a tile that has a size along each of the buffer's axes
  bool read = false, written = false;

  /// The buffer has one more axis, the first: this is at `index` of it.
  void put_in_front(const Index& index) const;
};

/// Calls `visit` for every place that the statements access, once each, in order. A fill, copy, product or
/// reduction reads and writes whole tiles.
using Visit = std::function<void(const Place&)>;
void visit_places(Body& body, const Visit& visit);
void visit_places(Statement& statement, const Visit& visit);

}  // namespace codegen::schedule
