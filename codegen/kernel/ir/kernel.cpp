#include "codegen/kernel/ir/kernel.h"

#include <algorithm>

#include "codegen/kernel/ir/walk.h"

namespace codegen::kernel {

DEFINE_VALUE_SEMANTICS(Scalar)
DEFINE_VALUE_SEMANTICS(Reduction)
DEFINE_VALUE_SEMANTICS(Stage)
DEFINE_VALUE_SEMANTICS(Block)
DEFINE_VALUE_SEMANTICS(Kernel)

Scalar::Scalar(ElementType type, Definition definition) : type(type), definition(std::move(definition)) {}

Reduction side_by_side(const std::vector<Reduction>& parts) {
  Reduction all;
  for (const Reduction& part : parts) {
    all.types.insert(all.types.end(), part.types.begin(), part.types.end());
    all.identity.insert(all.identity.end(), part.identity.begin(), part.identity.end());
    all.inputs.insert(all.inputs.end(), part.inputs.begin(), part.inputs.end());
    all.named.insert(all.named.end(), part.named.begin(), part.named.end());
  }
  if (all.named.size() != all.types.size()) all.named.clear();
  all.any_order = std::ranges::all_of(parts, &Reduction::any_order);
  std::size_t before = 0;  // components of the parts before
  for (const Reduction& part : parts) {
    const std::size_t own = part.types.size();
    const auto first = static_cast<ScalarId>(all.combine.size());
    for (Scalar scalar : part.combine) {
      if (auto* state = std::get_if<Scalar::State>(&scalar.definition))
        state->component +=
            static_cast<std::uint32_t>(state->component < own ? before : all.types.size() - own + before);
      visit_uses(scalar, dlvm::Overloaded{[&](ScalarId& operand) { operand += first; }, [](Index&) {}});
      all.combine.push_back(std::move(scalar));
    }
    for (const ScalarId result : part.results) all.results.push_back(first + result);
    before += own;
  }
  return all;
}

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
