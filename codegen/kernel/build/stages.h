#pragma once

#include "codegen/kernel/build/fuse.h"
#include "codegen/kernel/build/scalar_emitter.h"

namespace codegen::kernel {

/// The context in which stages are built: the locations of values, and the axes of the kernel so far.
struct StageContext {
  const Graph* graph = nullptr;
  std::vector<Extent> extents;  ///< the extent of every axis, by id; building adds new axes
  ScalarEmitter::Locate locate;
  /// Returns the location to which a node's element is stored, or nothing if no other stage needs it.
  std::function<std::optional<Access>(const Node&, const Indices&)> store;
  ScalarEmitter::Site site;
  /// Adds a local buffer of the whole kernel.
  std::function<BufferId(std::string_view name, ElementType, const Shape&)> scratch;
  dlvm::Diagnostics* diagnostics = nullptr;
};

/// A node together with the axes of the kernel that stand for its own.
struct PlacedNode {
  const Node* node = nullptr;
  std::vector<AxisId> axes;
  std::optional<AxisId> accumulated = {};  ///< of the block around, in place of a contraction's reduced axis
};

/// Returns the stages that compute the first node and, at its points, the others. It is one stage except for
/// a concatenation or a scatter. `outer[a]` says that axis `a` of the first node belongs to the block around
/// the stage.
std::vector<Stage> build_stages(StageContext& context, const std::vector<PlacedNode>& nodes,
                                const std::vector<bool>& outer);

/// Returns the node of a value: its axes, and the elements from which one of its elements is computed.
Node analyse(const Graph& graph, const dlvm::Value* value, bool copy, dlvm::Diagnostics& diagnostics,
             std::set<const dlvm::Value*> recomputed = {});

/// Returns the indices of the value's element at the point that `axes` give.
Indices element_indices(const Node& node, const std::vector<AxisId>& axes);

}  // namespace codegen::kernel
