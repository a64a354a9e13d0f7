#pragma once

#include <functional>

#include "dlvm/ir/type.h"

namespace dlvm {

/// Returns whether `wanted` is true of the type, or of a type of which it is made, at any depth. Declared
/// types are looked into once, so recursive ones end.
bool any_part_of(const Type& type, const std::function<bool(const Type&)>& wanted);

}  // namespace dlvm
