// Structs that callers give and get: `line: in Line`. Outside of the module they are their tensors,
// `line.slope` and `line.offset`, which the checker declares. What is given is made of them, and what is
// returned is taken apart, so that everything else knows only tensors in these roles. An enum without
// payloads is one tensor, the number of its case.
#pragma once

#include "frontend/check/checked_module.h"

namespace frontend::check {

/// Returns the declaration of the tensor that `field` is of a struct that callers give, `line.slope`; null
/// where it is none.
const Declaration* given_tensor(const Node& field);

}  // namespace frontend::check
