#pragma once

#include <string>

#include "dlvm/ir/function.h"

namespace dlvm {

/// Says why an allocation, a box, a variable of the module or a stack cannot be values, in words that follow
/// it: ", whose address is returned,". Empty for other values, and where no reason is known.
std::string why_it_lasts(Value& memory);

}  // namespace dlvm
