#pragma once

#include <functional>

#include "codegen/schedule/ir/schedule.h"

namespace codegen::schedule {

/// Calls `visit` with every `Node` (a kind of statement) of the body, those in loops included, in order; a
/// loop comes before what is in it. `Tree` is a range of statements, and `visit` may change what it is called
/// with.
template <typename Node, typename Tree, typename Visit>
void walk(Tree&& body, const Visit& visit) {
  for (auto& statement : body) {
    if (auto* node = std::get_if<Node>(&statement.node)) visit(*node);
    if (auto* loop = std::get_if<Loop>(&statement.node)) walk<Node>(loop->body, visit);
  }
}

/// Calls `visit(statement, result)` with every statement of the body, those of a loop before the loop itself,
/// and replaces it by the statements that `visit` appends to `result`.
template <typename Visit>
void rewrite(Body& body, const Visit& visit) {
  Body result;
  for (Statement& statement : body) {
    if (auto* loop = std::get_if<Loop>(&statement.node)) rewrite(loop->body, visit);
    visit(std::move(statement), result);
  }
  body = std::move(result);
}

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
