#pragma once

#include <concepts>
#include <type_traits>

#include "codegen/kernel/ir/kernel.h"
#include "dlvm/support/overloaded.h"

/// The traversals of kernels. The functions take constant and changeable nodes alike; what they visit may be
/// changed where the node may be. An alternative of a variant that they do not know fails to compile.
namespace codegen::kernel {

/// Accepts a node of one kind, constant or not.
template <typename T, typename Node>
concept Is = std::same_as<std::remove_const_t<T>, Node>;

/// Calls `visit` with every scalar of the stage's body and epilogue, in order.
template <Is<Stage> Node, typename Visit>
void visit_scalars(Node& stage, const Visit& visit) {
  for (auto* scalars : {&stage.body, &stage.epilogue})
    for (auto& scalar : *scalars) visit(scalar);
}

/// Calls `visit` with every `Node` (Axis, Block, Stage or Scalar) of the tree, parents before children and
/// these in order. `Tree` is Block or const Block.
template <typename Node, Is<Block> Tree, typename Visit>
void walk(Tree& block, const Visit& visit) {
  const auto walk_axes = [&](auto& axes) {
    if constexpr (std::is_same_v<Node, Axis>)
      for (auto& axis : axes) visit(axis);
  };
  if constexpr (std::is_same_v<Node, Block>) visit(block);
  walk_axes(block.axes);
  const dlvm::Overloaded walk_child{[&](Is<Block> auto& inner) { walk<Node>(inner, visit); },
                                    [&](Is<Stage> auto& stage) {
                                      if constexpr (std::is_same_v<Node, Stage>) visit(stage);
                                      walk_axes(stage.axes);
                                      if constexpr (std::is_same_v<Node, Scalar>) visit_scalars(stage, visit);
                                    }};
  for (auto& child : block.children) std::visit(walk_child, child);
}

/// Calls `visit(access, bounds, is_load)` with every access of the stage to a buffer, and the bounds under
/// which it happens.
template <Is<Stage> Node, typename Visit>
void visit_accesses(Node& stage, const Visit& visit) {
  visit_scalars(stage, [&](auto& scalar) {
    if (auto* load = std::get_if<Scalar::Load>(&scalar.definition)) visit(load->access, load->bounds, true);
  });
  for (auto& store : stage.stores) visit(store.access, store.bounds, false);
  if (stage.sorting) {
    const std::vector<Bound> everywhere;
    visit(stage.sorting->keys, everywhere, true);
    visit(stage.sorting->positions, everywhere, false);
  }
}

/// Each overload of `visit_uses(node, visit)` calls `visit` with every operand (a ScalarId) and every index
/// (an Index) of the node, in order. `visit` takes either. A load's fill is an operand only where there are
/// bounds.
void visit_uses(Is<Access> auto& access, const auto& visit) {
  for (auto& index : access.indices) visit(index);
}
void visit_uses(Is<std::vector<Bound>> auto& bounds, const auto& visit) {
  for (auto& bound : bounds) visit(bound.index);
}
void visit_uses(Is<Scalar::Literal> auto&, const auto&) {}
void visit_uses(Is<Scalar::Position> auto& position, const auto& visit) { visit(position.index); }
void visit_uses(Is<Scalar::Load> auto& load, const auto& visit) {
  visit_uses(load.access, visit);
  visit_uses(load.bounds, visit);
  if (!load.bounds.empty()) visit(load.fill);
}
void visit_uses(Is<Scalar::Operation> auto& operation, const auto& visit) {
  for (auto& operand : operation.operands) visit(operand);
}
void visit_uses(Is<Scalar::State> auto&, const auto&) {}
void visit_uses(Is<Scalar::Check> auto& check, const auto& visit) {
  visit(check.operand);
  for (auto& index : check.position) visit(index);
  visit_uses(check.bounds, visit);
}
void visit_uses(Is<Scalar::Random> auto& random, const auto& visit) {
  for (auto* operand : {&random.low, &random.high, &random.key, &random.counter}) visit(*operand);
  visit(random.index);
}
void visit_uses(Is<Scalar> auto& scalar, const auto& visit) {
  std::visit([&](auto& definition) { visit_uses(definition, visit); }, scalar.definition);
}
void visit_uses(Is<Store> auto& store, const auto& visit) {
  visit_uses(store.access, visit);
  visit_uses(store.bounds, visit);
  visit(store.value);
}

}  // namespace codegen::kernel
