#pragma once

#include <functional>
#include <optional>

#include "dlvm/ir/type.h"

namespace dlvm {

/// Returns whether `wanted` is true of the type, or of a type of which it is made, at any depth. Declared
/// types are looked into once, so recursive ones end.
bool any_part_of(const Type& type, const std::function<bool(const Type&)>& wanted);

/// Returns the type with other types in the place of those parts for which `replacement` gives one, and
/// tuples in the place of structs that hold such. What enums hold stays, and so does what a struct holds
/// that leads to itself.
Type with_parts_replaced(const Type& type,
                         const std::function<std::optional<Type>(const Type&)>& replacement);

/// Returns whether values of the type lead to memory: pointers and boxes.
bool is_address(const Type& type);

/// Returns whether the type is a tensor, or a tuple, struct or array of such types.
bool is_made_of_tensors(const Type& type);

}  // namespace dlvm
