#include "codegen/kernel/ir/rename_axes.h"

#include "codegen/kernel/ir/walk.h"
#include "dlvm/support/overloaded.h"

namespace codegen::kernel {

void rename_axes(Stage& stage, const std::map<AxisId, AxisId>& names) {
  const auto renamed = [&](AxisId id) {
    const auto found = names.find(id);
    return found == names.end() ? id : found->second;
  };
  const dlvm::Overloaded in_index{[&](AxisId id) { return axis_index(renamed(id)); },
                                  [](Loaded loaded) { return loaded_index(loaded.scalar); }};
  const dlvm::Overloaded in_use{[](ScalarId&) {}, [&](Index& index) { index = substitute(index, in_index); }};
  visit_scalars(stage, [&](Scalar& scalar) { visit_uses(scalar, in_use); });
  for (Store& store : stage.stores) visit_uses(store, in_use);
  if (!stage.contraction) return;
  for (auto* group :
       {&stage.contraction->batch, &stage.contraction->m, &stage.contraction->n, &stage.contraction->k})
    for (AxisId& id : *group) id = renamed(id);
}

}  // namespace codegen::kernel
