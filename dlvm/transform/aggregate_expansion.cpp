#include "dlvm/transform/aggregate_expansion.h"

#include <algorithm>

#include "dlvm/analysis/call_graph.h"
#include "dlvm/analysis/expanded_type.h"
#include "dlvm/transform/function_expansion.h"
#include "dlvm/transform/named_literals.h"
#include "dlvm/transform/rewrite.h"

namespace dlvm {
namespace {

Type expanded_result(const Type& type) {
  return is_compound(type) ? Type::tuple(expanded_types(type)) : type;
}

/// Functions that are called from outside keep their types.
std::unordered_set<const Function*> with_own_types(const Module& module) {
  std::unordered_set<const Function*> all;
  for (const EntryPoint& entry : module.entries) all.insert(module.function(entry.function));
  for (const StoredTensor& tensor : module.tensors) all.insert(module.function(tensor.initializer));
  return all;
}

/// Returns whether the function, or one that it calls, was among those whose types change.
bool keep_types(const Function& function, std::unordered_set<const Function*>& changed) {
  bool any = changed.erase(&function) > 0;
  for (const Function* callee : references(function)) any = changed.erase(callee) > 0 || any;
  return any;
}

bool has_compounds(const Type& type) {
  const auto compound = [](const Type& each) { return is_compound(each); };
  return std::ranges::any_of(type.parameters(), compound) ||
         !(expanded_result(type.result()) == type.result());
}

}  // namespace

bool expand_aggregates(Function& function) {
  const auto is_declared = [](const auto& value) { return holds_declared(value->type()); };
  if (std::ranges::none_of(function.blocks(), [&](const auto& block) {
        return std::ranges::any_of(block->arguments(), is_declared) ||
               std::ranges::any_of(block->instructions(), is_declared);
      }))
    return false;
  const FunctionExpansion::Functions none;
  FunctionExpansion expansion(function, none);
  return expansion.is_possible() && expansion.run();
}

bool aggregate_expansion(Module& module) {
  bool any = for_each_body(module, resolve_named_literals);
  std::unordered_set<const Function*> changed;
  const auto kept = with_own_types(module);
  for (const auto& function : module.functions())
    if (!module.entries.empty() && module.stage == Module::Stage::canonical && function->has_body() &&
        !kept.contains(function.get()) && has_compounds(function->type()))
      changed.insert(function.get());
  // What calls a function that cannot be expanded cannot rely on its new type.
  for (bool again = true; again;) {
    again = false;
    for (const auto& function : module.functions())
      if (function->has_body() && !FunctionExpansion(*function, changed).is_possible())
        again = keep_types(*function, changed) || again;
  }
  for (const auto& function : module.functions()) {
    if (!changed.contains(function.get())) continue;
    std::vector<Type> parameters;
    for (const Type& type : function->type().parameters())
      for (const Type& leaf : expanded_types(type)) parameters.push_back(leaf);
    function->set_type(Type::function(std::move(parameters), expanded_result(function->type().result())));
    any = true;
  }
  for (const auto& function : module.functions()) {
    if (!function->has_body()) continue;
    FunctionExpansion expansion(*function, changed);
    if (!expansion.is_possible() || !expansion.has_work()) continue;
    remove_unreachable_blocks(*function);
    any = FunctionExpansion(*function, changed).run() || any;
  }
  return any;
}

}  // namespace dlvm
