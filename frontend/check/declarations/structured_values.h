// Structs that callers give and get: `line: in Line`. Outside of the module they are their tensors,
// `line.slope` and `line.offset`, which the checker declares. What is given is made of them, and what is
// returned is taken apart, so that everything else knows only tensors in these roles. The same holds for what
// recurrent blocks carry from step to step, and for what they take and give. An enum without payloads is one
// tensor, the number of its case.
#pragma once

#include "frontend/check/checked_module.h"

namespace frontend::check {

/// Returns the declaration of the tensor that `field` is of a struct that is made of declared tensors; null
/// where it is none.
Declaration* declared_tensor(const Node& field);
/// The same for a struct that callers give, `line.slope`.
const Declaration* given_tensor(const Node& field);
/// Returns the type of the field that the tensor of a struct is.
Type type_of_field(const Declaration& tensor);

}  // namespace frontend::check
