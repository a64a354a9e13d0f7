// Enums that callers give and get: `size: in Size`. Outside of the module such a value is the number of its
// case, an int32, and the payloads of all cases.
#pragma once

#include <functional>

#include "frontend/check/body_context.h"

namespace frontend::check {

/// Makes the value of the enum whose case has the number `x`, a scalar int32. A number that no case has ends
/// the call with an error. `payload` makes the payload of a case, which is computed only where `x` is its
/// number.
Node* make_numbered_case(BodyContext& context, const DeclaredType& type, Node* x, Location location,
                         const std::function<std::vector<Node*>(std::size_t)>& payload);
/// Makes the number of the case of `x`, an enum, as an int32.
Node* make_case_number(BodyContext& context, Node* x, Location location);
/// Makes the value at that position in the payload of a case; zero where `x`, an enum, has another case.
Node* make_payload(BodyContext& context, Node* x, std::size_t of_case, std::size_t position,
                   Location location);

}  // namespace frontend::check
