// Structs that callers give and get: `line: in Line`. Outside of the module they are their tensors,
// `line.slope` and `line.offset`, which the checker declares. What is given is made of them, and what is
// returned is taken apart, so that everything else knows only tensors in these roles. The same holds for what
// recurrent blocks carry from step to step, and for what they take and give. An enum is taken apart likewise:
// outer_parts.h has its parts.
#pragma once

#include <functional>

#include "frontend/check/checked_module.h"

namespace frontend::check {

/// Makes the tensor of that number among those of a value.
using MakeTensor = std::function<Node*(std::size_t)>;
/// Makes a value of the type of its tensors. Returns null if one of them is null.
Node* make_of_tensors(BodyContext& context, const DeclaredType& type, Location location,
                      const MakeTensor& tensor);
/// Makes the payload of a case of the enum, whose tensors `tensor` makes from `first` on; null for a value of
/// which one cannot be made. The tensors are in the tables of `tree`, unless that is null.
std::vector<Node*> make_payload_of_tensors(BodyContext& context, const DeclaredType& type,
                                           std::size_t of_case, const DeclaredType* tree, std::size_t first,
                                           Location location, const MakeTensor& tensor);
/// Makes the tensor of `x` to which the positions of parts lead.
Node* part_of(BodyContext& context, Node* x, const std::vector<std::size_t>& positions);

/// Returns the declaration of the tensor that `field` is of a struct that is made of declared tensors; null
/// where it is none.
Declaration* declared_tensor(const Node& field);
/// The same for a struct that callers give, `line.slope`.
const Declaration* given_tensor(const Node& field);
/// Returns the type of the field that the tensor of a struct is.
Type type_of_field(const Declaration& tensor);

}  // namespace frontend::check
