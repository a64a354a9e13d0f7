#include "codegen/kernel/ir/kernel.h"

#include "codegen/kernel/ir/walk.h"

namespace codegen::kernel {

DEFINE_VALUE_SEMANTICS(Scalar)
DEFINE_VALUE_SEMANTICS(Reduction)
DEFINE_VALUE_SEMANTICS(Stage)
DEFINE_VALUE_SEMANTICS(Block)
DEFINE_VALUE_SEMANTICS(Kernel)

Scalar::Scalar(ElementType type, Definition definition) : type(type), definition(std::move(definition)) {}

Kernel without_annotations(Kernel kernel) {
  kernel.name.clear();
  for (Buffer& buffer : kernel.buffers) buffer.name.clear();
  walk<Axis>(kernel.root, [](Axis& axis) { axis.name.clear(); });
  walk<Stage>(kernel.root, [](Stage& stage) {
    stage.name.clear();
    stage.locations.clear();
  });
  return kernel;
}

}  // namespace codegen::kernel
