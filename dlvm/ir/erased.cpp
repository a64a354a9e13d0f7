#include "dlvm/ir/erased.h"

#include <algorithm>

namespace dlvm {

bool has_erased(const Extent& extent) {
  std::set<std::string> names;
  extent.collect_names(names);
  return std::ranges::any_of(names, [](const std::string& name) { return name.starts_with('_'); });
}

}  // namespace dlvm
