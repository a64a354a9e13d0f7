#include "codegen/schedule/common/split_accumulation.h"

#include <algorithm>
#include <map>
#include <set>

#include "codegen/kernel/ir/rename_axes.h"
#include "codegen/kernel/ir/walk.h"

namespace codegen::schedule {
namespace {

using kernel::Axis;
using kernel::AxisId;
using kernel::AxisKind;
using kernel::Block;
using kernel::Kernel;
using kernel::Stage;

class Split {
 public:
  explicit Split(Kernel kernel) : kernel_(std::move(kernel)) {
    kernel::walk<Axis>(kernel_.root,
                       [&](const Axis& axis) { next_axis_ = std::max(next_axis_, axis.id + 1); });
  }

  Kernel run() {
    if (accumulates(kernel_.root)) {  // it becomes a child of a root without axes
      for (kernel::Buffer& buffer : kernel_.buffers)
        if (buffer.space == kernel::Buffer::Space::local) ++buffer.depth;
      Block root;
      root.children.emplace_back(std::move(kernel_.root));
      kernel_.root = std::move(root);
    }
    split_children(kernel_.root, 0);
    return std::move(kernel_);
  }

 private:
  void split_children(Block& parent, std::uint32_t depth) {
    std::vector<std::variant<Block, Stage>> children;
    for (auto& child : parent.children) {
      auto* block = std::get_if<Block>(&child);
      std::vector<Stage> behind;
      if (block != nullptr) split_children(*block, depth + 1);
      if (block != nullptr && accumulates(*block)) behind = split(*block, depth + 1);
      if (block == nullptr || !block->children.empty()) children.push_back(std::move(child));
      for (Stage& stage : behind) children.emplace_back(std::move(stage));
    }
    parent.children = std::move(children);
  }

  /// Takes the stages that accumulate out of the block at that depth and returns them as stages of their own.
  std::vector<Stage> split(Block& block, std::uint32_t depth) {
    std::vector<Stage> taken;
    std::erase_if(block.children, [&](auto& child) {
      auto* stage = std::get_if<Stage>(&child);
      if (stage == nullptr || stage->accumulated.empty()) return false;
      taken.push_back(std::move(*stage));
      return true;
    });
    std::set<kernel::BufferId> kept;  // a local of a block around is there for all points anyway
    for (const Stage& stage : taken)
      kernel::visit_accesses(stage, [&](const kernel::Access& access, const auto&, bool) {
        const kernel::Buffer& buffer = kernel_.buffers[access.buffer];
        if (buffer.space == kernel::Buffer::Space::local && buffer.depth == depth) kept.insert(access.buffer);
      });
    for (const kernel::BufferId id : kept) {
      kernel::Buffer& buffer = kernel_.buffers[id];
      buffer.depth = depth - 1;
      for (std::size_t a = block.axes.size(); a-- > 0;)
        buffer.shape.insert(buffer.shape.begin(), block.axes[a].extent);
    }
    const auto widen = [&](Stage& stage) {
      kernel::visit_accesses(stage, [&](kernel::Access& access, const auto&, bool) {
        if (!kept.contains(access.buffer)) return;
        for (std::size_t a = block.axes.size(); a-- > 0;)
          access.indices.insert(access.indices.begin(), kernel::axis_index(block.axes[a].id));
      });
    };
    kernel::walk<Stage>(block, widen);
    for (Stage& stage : taken) {
      widen(stage);
      take_axes(stage, block);
    }
    return taken;
  }

  /// Gives the stage axes of its own in place of the block's.
  void take_axes(Stage& stage, const Block& block) {
    std::map<AxisId, AxisId> names;
    std::vector<Axis> axes;
    for (Axis axis : block.axes) {
      if (std::ranges::count(stage.accumulated, axis.id) > 0) axis.kind = AxisKind::reduced;
      axis.id = names[axis.id] = next_axis_++;
      axes.push_back(std::move(axis));
    }
    stage.axes.insert(stage.axes.begin(), axes.begin(), axes.end());
    // The reduced axes are the last ones.
    std::ranges::stable_partition(stage.axes,
                                  [](const Axis& axis) { return axis.kind == AxisKind::parallel; });
    stage.accumulated.clear();
    kernel::rename_axes(stage, names);
  }

  Kernel kernel_;
  AxisId next_axis_ = 0;
};

}  // namespace

bool accumulates(const Block& block) {
  return std::ranges::any_of(block.children, [](const auto& child) {
    const auto* stage = std::get_if<Stage>(&child);
    return stage != nullptr && !stage->accumulated.empty();
  });
}

bool has_accumulation(const Kernel& kernel) {
  bool found = false;
  kernel::walk<Block>(kernel.root, [&](const Block& block) { found = found || accumulates(block); });
  return found;
}

Kernel split_accumulation(Kernel kernel) { return Split(std::move(kernel)).run(); }

}  // namespace codegen::schedule
