// Types as TEL writes them, for messages to its users.
#pragma once

#include <string>
#include <string_view>

#include "dlvm/ir/tensor.h"
#include "dlvm/ir/type.h"

namespace dlvm {

/// Returns the name in TEL, `float32`, or the name in DLVM if TEL lacks the type.
std::string_view spelling(ElementType element);
/// Returns the type as TEL writes it: `float32[N x 3]`, `float32[]`.
std::string spelling(const Type& tensor);
std::string spelling(const Tensor& tensor);

}  // namespace dlvm
