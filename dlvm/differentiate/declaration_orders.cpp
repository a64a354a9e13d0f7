#include "dlvm/differentiate/declaration_orders.h"

#include <algorithm>
#include <unordered_map>

namespace dlvm {

std::vector<std::vector<Function*>> declaration_orders(const std::vector<Component>& components) {
  std::vector<std::vector<Function*>> out;
  std::unordered_map<const Function*, std::size_t> below;
  for (const Component& component : components) {
    std::size_t most = 0;
    for (const Function* function : component.functions)
      for (const Function* to : references(*function))
        if (const auto found = below.find(to); found != below.end())
          most = std::max(most, found->second + (to->gradient ? 1 : 0));
    for (Function* function : component.functions) {
      below[function] = most;
      if (!function->gradient) continue;
      if (out.size() <= most) out.resize(most + 1);
      out[most].push_back(function);
    }
  }
  return out;
}

}  // namespace dlvm
