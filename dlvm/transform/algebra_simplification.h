#pragma once

#include "dlvm/ir/module.h"

namespace dlvm {

/// AS. Afterwards no instruction matches a rule of the families in algebra_rules.h: neutral and absorbing
/// elements, inverses, compositions of conversions and of index maps. Results are the same bits as before for
/// every input, NaN, infinities and -0 included (a NaN's payload aside). In a canonical module `detach` goes.
bool algebra_simplification(Module& module);

}  // namespace dlvm
