#pragma once

#include "dlvm/ir/module.h"

namespace dlvm {

/// The pass AS. Afterwards no instruction whose operands it has not named matches a rule of the families in
/// algebra_rules.h: neutral and absorbing elements, inverses, compositions of conversions and of index maps.
/// Results have the same bits as
/// before for every input, NaN, infinities and -0 included (except a NaN's payload). In a canonical module it
/// removes `detach`. What it leaves unused stays, for DCE, and constant tensors that replace instructions get
/// their names, until CP puts them into operands.
bool algebra_simplification(Module& module);
/// Simplifies one function of a module in that stage, and removes what it leaves unused.
bool algebra_simplification(Function& function, Module::Stage stage);

}  // namespace dlvm
