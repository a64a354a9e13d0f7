#pragma once

#include <string>

#include "dlvm/ir/function.h"

namespace dlvm {

/// Returns the reason why the function has no derivative if it, or one that it refers to, works on values
/// whose floating-point parts are no leaves of their types: recursive enums, and what is in memory. Such
/// values would look as if nothing depended on them. Empty if there are none.
std::string hidden_values(const Function& function);

}  // namespace dlvm
