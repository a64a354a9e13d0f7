#pragma once

#include <type_traits>

#include "codegen/kernel/ir/kernel.h"

namespace codegen::kernel {

/// Calls `visit` with every `Node` (Axis, Block or Stage) of the tree, parents before children and these in
/// order. `Tree` is Block or const Block, and `visit` may change what it is called with.
template <typename Node, typename Tree, typename Visit>
void walk(Tree& block, const Visit& visit) {
  const auto walk_axes = [&](auto& axes) {
    if constexpr (std::is_same_v<Node, Axis>)
      for (auto& axis : axes) visit(axis);
  };
  if constexpr (std::is_same_v<Node, Block>) visit(block);
  walk_axes(block.axes);
  for (auto& child : block.children) {
    if (auto* inner = std::get_if<Block>(&child)) {
      walk<Node>(*inner, visit);
      continue;
    }
    auto& stage = std::get<Stage>(child);
    if constexpr (std::is_same_v<Node, Stage>) visit(stage);
    walk_axes(stage.axes);
  }
}

}  // namespace codegen::kernel
