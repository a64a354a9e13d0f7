#include "dlvm/analysis/function_values.h"

#include <vector>

#include "dlvm/ir/instruction_views.h"

namespace dlvm {

bool holds_function(const Type& type) {
  std::vector<Type> open{type};
  std::unordered_set<const TypeDeclaration*> known;
  while (!open.empty()) {
    const Type next = open.back();
    open.pop_back();
    if (next.kind() == Type::Kind::function) return true;
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

std::unordered_set<const Function*> functions_that_are_values(const Module& module) {
  std::unordered_set<const Function*> all;
  for (const auto& function : module.functions())
    for (const auto& block : function->blocks())
      for (const auto& instruction : block->instructions())
        if (const auto value = as<FunctionValue>(*instruction)) all.insert(value.function());
  return all;
}

}  // namespace dlvm
