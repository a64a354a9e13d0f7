#pragma once

#include <functional>

#include "codegen/schedule/ir/schedule.h"

namespace codegen::schedule {

/// Calls `visit` with every `Node` (a kind of statement) of the body in order, also inside loops; a loop
/// comes before its body. `Tree` is a range of statements, and `visit` may change its argument.
template <typename Node, typename Tree, typename Visit>
void walk(Tree&& body, const Visit& visit) {
  for (auto& statement : body) {
    if (auto* node = std::get_if<Node>(&statement.node)) visit(*node);
    if (auto* loop = std::get_if<Loop>(&statement.node)) walk<Node>(loop->body, visit);
  }
}

/// Replaces every statement of the body by the statements that `visit(statement, result)` appends to
/// `result`. The statements of a loop are visited before the loop itself.
template <typename Visit>
void rewrite(Body& body, const Visit& visit) {
  Body result;
  for (Statement& statement : body) {
    if (auto* loop = std::get_if<Loop>(&statement.node)) rewrite(loop->body, visit);
    visit(std::move(statement), result);
  }
  body = std::move(result);
}

/// The memory that a statement accesses: an element or a tile.
struct Place {
  BufferId& buffer;
  std::vector<Index>& indices;  ///< for a tile: its origin
  Shape* sizes = nullptr;       ///< the extents along the buffer's axes, if it is a tile that has them
  bool read = false, written = false;

  /// Adds a new first axis to the accessed buffer's index, with the value `index`.
  void put_in_front(const Index& index) const;
};

/// Calls `visit` once for every place that the statements access, in order. Fills, copies, products and
/// reductions read and write whole tiles.
using Visit = std::function<void(const Place&)>;
void visit_places(Body& body, const Visit& visit);
void visit_places(Statement& statement, const Visit& visit);

}  // namespace codegen::schedule
