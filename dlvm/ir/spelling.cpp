#include "dlvm/ir/spelling.h"

#include <fmt/format.h>

namespace dlvm {

std::string_view spelling(ElementType element) {
  const auto& names = info(element);
  return names.tel_name.empty() ? names.name : names.tel_name;
}

std::string spelling(const Type& tensor) {
  if (!tensor.is_tensor()) return tensor.text();
  std::vector<std::string> extents;
  for (const Extent& extent : tensor.shape()) extents.push_back(extent.text());
  return fmt::format("{}[{}]", spelling(tensor.element()), fmt::join(extents, " x "));
}

std::string spelling(const Tensor& tensor) {
  return fmt::format("{}[{}]", spelling(tensor.element()), fmt::join(tensor.extents(), " x "));
}

}  // namespace dlvm
