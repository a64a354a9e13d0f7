#include "dlvm/transform/algebra_simplification.h"

#include "dlvm/transform/algebra_rules.h"

namespace dlvm {
namespace {

std::vector<RewriteRule> rules_for(Module::Stage stage) {
  std::vector<RewriteRule> rules;
  const auto take = [&](std::span<const RewriteRule> family) {
    rules.insert(rules.end(), family.begin(), family.end());
  };
  take(algebra::arithmetic_rules());
  take(algebra::logic_rules());
  take(algebra::shape_rules());
  take(algebra::aggregate_rules());
  if (stage == Module::Stage::canonical) take(algebra::canonical_rules());
  return rules;
}

}  // namespace

bool algebra_simplification(Function& function, Module::Stage stage) {
  return function.has_body() && rewrite(function, rules_for(stage));
}

bool algebra_simplification(Module& module) {
  const std::vector<RewriteRule> rules = rules_for(module.stage);
  bool changed = false;
  for (const auto& function : module.functions())
    if (function->has_body()) changed = rewrite_keeping_others(*function, rules) || changed;
  return changed;
}

}  // namespace dlvm
