#pragma once

#include "dlvm/ir/function.h"
#include "dlvm/support/diagnostic.h"

namespace codegen::kernel {

/// Reports the first value that no kernel can hold: one in memory, or of an enum. Returns whether there is
/// none.
bool check_values(const dlvm::Function& function, dlvm::Diagnostics& diagnostics);

}  // namespace codegen::kernel
