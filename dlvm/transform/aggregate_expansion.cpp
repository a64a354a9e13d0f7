#include "dlvm/transform/aggregate_expansion.h"

#include <algorithm>

#include "dlvm/analysis/expanded_type.h"
#include "dlvm/transform/expanded_functions.h"
#include "dlvm/transform/function_expansion.h"
#include "dlvm/transform/mixed_stacks.h"
#include "dlvm/transform/rewrite.h"
#include "dlvm/transform/tensor_canonicalization.h"

namespace dlvm {

bool expand_aggregates(Function& function) {
  const auto is_declared = [](const auto& value) { return holds_declared(value->type()); };
  if (std::ranges::none_of(function.blocks(), [&](const auto& block) {
        return std::ranges::any_of(block->arguments(), is_declared) ||
               std::ranges::any_of(block->instructions(), is_declared);
      }))
    return false;
  const FunctionSet none;
  FunctionExpansion expansion(function, none);
  return expansion.is_possible() && expansion.run();
}

bool aggregate_expansion(Module& module) {
  bool any = for_each_body(module, canonicalize_tensors);
  any = for_each_body(module, unify_mixed_stacks) || any;
  const auto can_be = [](Function& function, const FunctionSet& changed) {
    return FunctionExpansion(function, changed).is_possible();
  };
  const FunctionSet changed = expand_function_types(module, can_be);
  any = any || !changed.empty();
  for (const auto& function : module.functions()) {
    if (!function->has_body()) continue;
    FunctionExpansion expansion(*function, changed);
    if (!expansion.has_work() || !expansion.is_possible()) continue;
    remove_unreachable_blocks(*function);
    any = FunctionExpansion(*function, changed).run() || any;
  }
  return any;
}

}  // namespace dlvm
