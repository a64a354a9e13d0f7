#include "dlvm/ir/instruction_views.h"

namespace dlvm {

Integers Transpose::permutation() const {
  if (const auto* written = optional_attribute<Integers>(0)) return *written;
  Integers reversed;
  for (std::size_t axis = type().rank(); axis-- > 0;) reversed.push_back(static_cast<std::int64_t>(axis));
  return reversed;
}

}  // namespace dlvm
