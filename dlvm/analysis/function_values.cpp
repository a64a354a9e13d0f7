#include "dlvm/analysis/function_values.h"

#include <vector>

#include "dlvm/analysis/type_parts.h"
#include "dlvm/ir/instruction_views.h"

namespace dlvm {

bool holds_function(const Type& type) {
  return any_part_of(type, [](const Type& each) { return each.kind() == Type::Kind::function; });
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
