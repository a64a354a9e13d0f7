#include "dlvm/analysis/type_parts.h"

#include <unordered_set>
#include <vector>

namespace dlvm {

bool any_part_of(const Type& type, const std::function<bool(const Type&)>& wanted) {
  std::vector<Type> open{type};
  std::unordered_set<const TypeDeclaration*> known;
  while (!open.empty()) {
    const Type next = open.back();
    open.pop_back();
    if (wanted(next)) return true;
    const bool declared = next.is_structure() || next.is_enumeration();
    if (declared && !known.insert(&next.declaration()).second) continue;
    if (declared) {
      for (const auto& member : next.declaration().members)
        open.insert(open.end(), member.types.begin(), member.types.end());
    } else if (!next.is_tensor()) {
      const std::vector<Type> parts = next.parts();
      open.insert(open.end(), parts.begin(), parts.end());
    }
  }
  return false;
}

}  // namespace dlvm
