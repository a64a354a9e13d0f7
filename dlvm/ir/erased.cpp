#include "dlvm/ir/erased.h"

namespace dlvm {

bool has_erased(const Extent& extent) {
  std::set<std::string> names;
  extent.collect_names(names);
  return !names.empty() && names.begin()->starts_with('_');
}

}  // namespace dlvm
