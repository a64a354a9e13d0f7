#pragma once

#include <functional>

#include "codegen/kernel/ir/walk.h"
#include "codegen/schedule/ir/schedule.h"

/// The traversals of schedules, as those of kernels (kernel/ir/walk.h).
namespace codegen::schedule {

using kernel::Is;

/// Returns the statements that are nested in the statement, or null. A kind of statement that has some has
/// them as its member `body`.
auto* body_of(Is<Statement> auto& statement) {
  return std::visit(
      [](auto& node) {
        using Nested = std::conditional_t<std::is_const_v<std::remove_reference_t<decltype(statement)>>,
                                          const Body, Body>;
        if constexpr (requires { node.body; })
          return static_cast<Nested*>(&node.body);
        else
          return static_cast<Nested*>(nullptr);
      },
      statement.node);
}

/// Calls `visit` with every `Node` (a kind of statement, or Statement) of the body in order, also inside
/// loops; a loop comes before its body. `Tree` is a range of statements, and `visit` may change its argument.
template <typename Node, typename Tree, typename Visit>
void walk(Tree&& body, const Visit& visit) {
  for (auto& statement : body) {
    if constexpr (std::is_same_v<Node, Statement>)
      visit(statement);
    else if (auto* node = std::get_if<Node>(&statement.node))
      visit(*node);
    if (auto* nested = body_of(statement)) walk<Node>(*nested, visit);
  }
}

/// Replaces every statement of the body by the statements that `visit(statement, result)` appends to
/// `result`. The statements of a loop are visited before the loop itself.
template <typename Visit>
void rewrite(Body& body, const Visit& visit) {
  Body result;
  for (Statement& statement : body) {
    if (Body* nested = body_of(statement)) rewrite(*nested, visit);
    visit(std::move(statement), result);
  }
  body = std::move(result);
}

/// Returns the loop and those nested in it that are of its kind, up to the first that is not all of the body
/// around it.
std::vector<const Loop*> perfect_nest(const Loop& loop);

/// Returns the core loop that is the last statement of the core loop's body, or null.
const Loop* inner_core_loop(const Loop& loop);

/// Returns whether several cores may run a part of the schedule.
bool has_core_loops(const Schedule& schedule);

/// Returns the number of iterations of the core loop and of those in it: the units of its ranges.
Extent core_iterations(const Loop& loop);

/// Each overload of `visit_uses(node, visit)` calls `visit` with every value (a ValueId) and every index (an
/// Index) that the node itself uses, in order, as for a kernel's nodes. A loop's body is not visited.
void visit_uses(Is<Tile> auto& tile, const auto& visit) {
  for (auto& index : tile.origin) visit(index);
}
void visit_uses(Is<Origin> auto&, const auto&) {}
void visit_uses(Is<Let> auto& let, const auto& visit) { visit_uses(let.scalar, visit); }
void visit_uses(Is<Store> auto& store, const auto& visit) {
  visit_uses(store.access, visit);
  visit_uses(store.bounds, visit);
  visit(store.value);
}
void visit_uses(Is<Prefetch> auto& prefetch, const auto& visit) { visit_uses(prefetch.access, visit); }
void visit_uses(Is<Allocate> auto&, const auto&) {}
void visit_uses(Is<Loop> auto& loop, const auto& visit) { visit_uses(loop.bounds, visit); }
void visit_uses(Is<Fill> auto& fill, const auto& visit) { visit_uses(fill.to, visit); }
void visit_uses(Is<Copy> auto& copy, const auto& visit) {
  visit_uses(copy.from, visit);
  visit_uses(copy.to, visit);
  visit_uses(copy.bounds, visit);
}
void visit_uses(Is<Commit> auto&, const auto&) {}
void visit_uses(Is<Wait> auto&, const auto&) {}
void visit_uses(Is<Barrier> auto&, const auto&) {}
void visit_uses(Is<MultiplyAccumulate> auto& multiply, const auto& visit) {
  for (auto* tile : {&multiply.to, &multiply.left, &multiply.right}) visit_uses(*tile, visit);
  for (auto* index : {&multiply.rows, &multiply.columns, &multiply.count}) visit(*index);
  if (multiply.anew) visit(multiply.anew->index);
  if (multiply.ahead) visit_uses(*multiply.ahead, visit);
}
void visit_uses(Is<Reduce> auto& reduce, const auto& visit) {
  for (auto& from : reduce.from) visit_uses(from, visit);
  for (auto& to : reduce.to) visit_uses(to, visit);
}
void visit_uses(Is<Sort> auto& sort, const auto& visit) {
  visit_uses(sort.keys, visit);
  visit_uses(sort.positions, visit);
  for (auto& tile : sort.scratch) visit_uses(tile, visit);
}
void visit_uses(Is<Convert> auto& convert, const auto& visit) {
  visit_uses(convert.from, visit);
  visit_uses(convert.to, visit);
}
void visit_uses(Is<Statement> auto& statement, const auto& visit) {
  std::visit([&](auto& node) { visit_uses(node, visit); }, statement.node);
}

/// The memory that a statement accesses: an element or a tile.
struct BufferAccess {
  BufferId& buffer;
  std::vector<Index>& indices;  ///< for a tile: its origin
  Shape* sizes = nullptr;       ///< the extents along the buffer's axes, if it is a tile that has them
  bool read = false, written = false;

  /// Adds a new first axis to the accessed buffer's index, with the value `index`.
  void put_in_front(const Index& index) const;
};

/// Calls `visit` once for every element or tile that the statements access, in order. Fills, copies, products
/// and reductions read and write whole tiles.
using Visit = std::function<void(const BufferAccess&)>;
void visit_buffer_accesses(Body& body, const Visit& visit);
void visit_buffer_accesses(Statement& statement, const Visit& visit);

}  // namespace codegen::schedule
