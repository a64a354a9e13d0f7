#pragma once

#include <functional>

#include "dlvm/ir/function.h"

namespace dlvm {

/// Gives the attributes of an instruction that are types what `mapped` makes of them. A literal that made a
/// struct makes a tuple where that is its type now.
void map_attributes(Instruction& instruction, const std::function<Type(const Type&)>& mapped);

}  // namespace dlvm
