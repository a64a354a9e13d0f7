#pragma once

#include <vector>

#include "dlvm/pipeline.h"

namespace telc {

/// Puts the passes in front that make functions of gradient declarations, unless one is named that does so or
/// that changes them: the stable rewrites and differentiation, and where what declarations reach has memory,
/// variables or declared types, all passes that make values of tensors of these. `print_ir` says whether a
/// report about differentiation is wanted where there is nothing to differentiate.
void differentiate_first(const dlvm::Module& module, bool print_ir, std::vector<const dlvm::Pass*>& passes);

}  // namespace telc
