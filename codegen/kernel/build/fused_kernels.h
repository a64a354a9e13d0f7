#pragma once

#include <limits>
#include <optional>
#include <unordered_map>
#include <vector>

#include "codegen/kernel/build/fuse.h"
#include "codegen/kernel/build/outer_axes.h"

namespace codegen::kernel {

/// Stands for no kernel, and for no axis.
inline constexpr std::size_t never = std::numeric_limits<std::size_t>::max();

/// The kernels of a function while its nodes are fused (fuse.h): what each of them has, and at which points
/// nodes read what others compute.
struct FusedKernels {
  /// Where a node is computed.
  struct Place {
    std::size_t kernel = never, stage = 0, member = 0;
  };
  struct Kernel {
    std::vector<FusedStage> stages;
    std::vector<OuterAxes> outer;  ///< of each stage; all of one length
    std::size_t uses = 0;          ///< values that its nodes read and write
    bool alone = false;
    std::uint32_t phase = 0;
    std::size_t first_reader = never;  ///< no kernel below this number reads it
  };

  /// The kernels of `all`, which must outlive them: none yet.
  explicit FusedKernels(const std::vector<Node>& all) : nodes(all), places(all.size()) {
    for (std::size_t i = 0; i < all.size(); ++i)
      if (!all[i].copy) node_of[all[i].value] = i;
  }

  /// Returns the node that computes what is read, if a node does.
  std::optional<std::size_t> producer(const Node::Use& use) const {
    const auto found = node_of.find(use.value);
    return found == node_of.end() ? std::nullopt : std::optional(found->second);
  }
  /// Returns whether the node reads a value of the kernel.
  bool reads(const Node& node, std::size_t kernel) const;
  /// Returns the kernels whose values the node reads, the latest first.
  std::vector<std::size_t> producing_kernels(const Node& node) const;
  /// Returns for each axis of the node the axis of the stage, where the node reads the stage's values at the
  /// same point.
  std::optional<std::vector<std::size_t>> same_point(const Node& node, std::size_t kernel,
                                                     std::size_t stage) const;
  /// Returns for each outer axis of the kernel the node's axis at which it reads the kernel's values; `never`
  /// where there is none. It may be the node's only reduced axis if `accumulates`.
  OuterAxes correspondence(const Node& node, std::size_t kernel, bool accumulates = false) const;
  /// Returns the node that gives the stage its axes.
  const Node& leader(const FusedStage& stage) const { return nodes[stage.members[0].node]; }
  /// Returns whether a stage is a contraction of two tensors.
  bool has_product(const Kernel& kernel) const;
  /// Returns whether the kernel has a node that must not be in one kernel with contractions.
  bool has_unchained(const Kernel& kernel) const;
  /// Returns the first node of each stage.
  std::vector<const Node*> leaders_of(const Kernel& kernel) const;

  const std::vector<Node>& nodes;
  std::unordered_map<const dlvm::Value*, std::size_t> node_of;
  std::vector<Place> places;  ///< of the nodes
  std::vector<Kernel> kernels;
};

/// Values that the node reads, and the one that it writes.
inline std::size_t uses_of(const Node& node) { return node.uses.size() + 1; }

}  // namespace codegen::kernel
