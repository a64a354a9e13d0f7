#include "dlvm/ir/tensor_size.h"

namespace dlvm {

bool has_countable_bytes(const Type& type) {
  if (!type.is_tensor() || type.rank() == 0) return true;
  std::int64_t bytes = info(type.element()).bytes;
  bool holds = true;
  for (const Extent& extent : type.shape()) {
    const auto value = extent.constant();
    if (!value || *value == 0) return true;
    holds = holds && !__builtin_mul_overflow(bytes, *value, &bytes);
  }
  return holds;
}

}  // namespace dlvm
