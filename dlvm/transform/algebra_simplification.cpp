#include "dlvm/transform/algebra_simplification.h"

#include "dlvm/transform/algebra_rules.h"

namespace dlvm {

bool algebra_simplification(Module& module) {
  std::vector<RewriteRule> rules;
  const auto take = [&](std::span<const RewriteRule> family) {
    rules.insert(rules.end(), family.begin(), family.end());
  };
  take(algebra::arithmetic_rules());
  take(algebra::logic_rules());
  take(algebra::shape_rules());
  take(algebra::aggregate_rules());
  if (module.stage == Module::Stage::canonical) take(algebra::canonical_rules());
  bool changed = false;
  for (const auto& function : module.functions())
    if (function->has_body()) changed = rewrite(*function, rules) || changed;
  return changed;
}

}  // namespace dlvm
