#pragma once

#include "codegen/schedule/ir/schedule.h"

namespace codegen::schedule {

/// Calls `visit(access, bounds, is_load)` with every access of a kernel's stage and the bounds under which it
/// happens. The stage may be constant.
template <typename Stage, typename Visit>
void each_access(Stage& stage, Visit visit) {
  for (auto* scalars : {&stage.body, &stage.epilogue})
    for (auto& scalar : *scalars)
      if (auto* load = std::get_if<Scalar::Load>(&scalar.definition)) visit(load->access, load->bounds, true);
  for (auto& store : stage.stores) visit(store.access, store.bounds, false);
}

}  // namespace codegen::schedule
