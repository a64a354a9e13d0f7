// Enums without payloads that callers give and get: `size: in Size`. Outside of the module such a value is
// the number of its case, an int32.
#pragma once

#include "frontend/check/body_context.h"

namespace frontend::check {

/// Returns whether each value of the type is told by the number of its case: it is an enum with cases of
/// which none has a payload.
bool is_numbered(const DeclaredType& type);

/// Makes the value of the enum whose case has the number `x`, a scalar int32. A number that no case has ends
/// the call with an error.
Node* make_numbered_case(BodyContext& context, const DeclaredType& type, Node* x, Location location);
/// Makes the number of the case of `x`, an enum, as an int32.
Node* make_case_number(BodyContext& context, Node* x, Location location);

}  // namespace frontend::check
