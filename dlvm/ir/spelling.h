// Types as TEL writes them, for messages to its users.
#pragma once

#include <string>
#include <string_view>

#include "dlvm/ir/tensor.h"
#include "dlvm/ir/type.h"

namespace dlvm {

/// `float32`; of a type that TEL lacks the name in DLVM.
std::string_view spelling(ElementType element);
/// `float32[N x 3]`, `float32[]`.
std::string spelling(const Type& tensor);
std::string spelling(const Tensor& tensor);

}  // namespace dlvm
