// The roles that structs and enums may have: which of them callers may give and get, and what is wrong with
// the others.
#pragma once

#include "frontend/check/checked_module.h"

namespace frontend::check {

/// Returns whether each field of the struct is a tensor, or a struct of tensors, and there are not too many.
bool has_only_tensors(const DeclaredType& type);

}  // namespace frontend::check
