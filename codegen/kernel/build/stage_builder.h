#pragma once

#include "codegen/kernel/build/emitter.h"
#include "codegen/kernel/build/fuse.h"

namespace codegen::kernel {

/// What stages are built with: where values are, and the axes of the kernel so far.
struct StageContext {
  const Graph* graph = nullptr;
  std::vector<Extent> extents;  ///< of every axis, by id; new axes are added
  Emitter::Locate locate;
  /// Where a node's element is stored; nothing where no other stage needs it.
  std::function<std::optional<Access>(const Node&, const Indices&)> store;
  Emitter::Site site;
  dlvm::Diagnostics* diagnostics = nullptr;
};

/// A node whose axes are these of the kernel.
struct PlacedNode {
  const Node* node = nullptr;
  std::vector<AxisId> axes;
};

/// The stages (one, but for a concatenation or a scatter) that compute the first node and, at its points, the
/// others. `outer[a]`: axis `a` of the first node belongs to the block around the stage.
std::vector<Stage> build_stages(StageContext& context, const std::vector<PlacedNode>& nodes,
                                const std::vector<bool>& outer);

/// A node for a value: its axes, and the elements that one of it is computed from.
Node analyse(const Graph& graph, const dlvm::Value* value, bool copy, dlvm::Diagnostics& diagnostics,
             std::set<const dlvm::Value*> recomputed = {});

/// Indices of the value's element at those axes.
Indices element_indices(const Node& node, const std::vector<AxisId>& axes);

}  // namespace codegen::kernel
