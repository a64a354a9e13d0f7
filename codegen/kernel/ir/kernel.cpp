#include "codegen/kernel/ir/kernel.h"

namespace codegen::kernel {
namespace {

void remove_annotations(std::vector<Axis>& axes) {
  for (Axis& axis : axes) axis.name.clear();
}

void remove_annotations(Block& block) {
  remove_annotations(block.axes);
  for (auto& child : block.children) {
    if (auto* inner = std::get_if<Block>(&child)) {
      remove_annotations(*inner);
      continue;
    }
    Stage& stage = std::get<Stage>(child);
    stage.name.clear();
    stage.locations.clear();
    remove_annotations(stage.axes);
  }
}

}  // namespace

Kernel without_annotations(Kernel kernel) {
  kernel.name.clear();
  for (Buffer& buffer : kernel.buffers) buffer.name.clear();
  remove_annotations(kernel.root);
  return kernel;
}

}  // namespace codegen::kernel
