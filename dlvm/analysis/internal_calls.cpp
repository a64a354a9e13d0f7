#include "dlvm/analysis/internal_calls.h"

#include <algorithm>
#include <unordered_set>

#include "dlvm/analysis/function_values.h"
#include "dlvm/ir/instruction_views.h"

namespace dlvm {
namespace {

std::unordered_set<const Function*> functions_called_from_outside(const Module& module) {
  std::unordered_set<const Function*> all;
  for (const EntryPoint& entry : module.entries) all.insert(module.function(entry.function));
  for (const StoredTensor& tensor : module.tensors) all.insert(module.function(tensor.initializer));
  return all;
}

/// Returns the functions that something else than a call refers to.
std::unordered_set<const Function*> functions_referred_to(const Module& module) {
  std::unordered_set<const Function*> all = functions_that_are_values(module);
  all.merge(functions_called_from_outside(module));
  for (const auto& function : module.functions()) {
    if (!function->has_body()) all.insert(function.get());
    if (function->gradient) all.insert(function->gradient->of);
    if (function->adjoint != nullptr) all.insert({function.get(), function->adjoint});
    for (const auto& block : function->blocks())
      for (const auto& instruction : block->instructions())
        for (const Attribute& attribute : instruction->attributes())
          if (const auto* combinator = std::get_if<Combinator>(&attribute)) all.insert(combinator->function);
  }
  return all;
}

}  // namespace

bool has_internal_functions(const Module& module) {
  const std::unordered_set<const Function*> outside = functions_called_from_outside(module);
  return std::ranges::any_of(module.functions(),
                             [&](const auto& function) { return !outside.contains(function.get()); });
}

InternalCalls find_internal_calls(const Module& module) {
  InternalCalls calls;
  if (module.entries.empty()) return calls;
  const std::unordered_set<const Function*> others = functions_referred_to(module);
  for (const auto& function : module.functions())
    if (!others.contains(function.get())) calls[function.get()];
  if (calls.empty()) return calls;
  for (const auto& function : module.functions())
    for (const auto& block : function->blocks())
      for (const auto& instruction : block->instructions())
        if (const auto call = as<Apply>(*instruction))
          if (const auto found = calls.find(call.callee()); found != calls.end())
            found->second.push_back(instruction.get());
  return calls;
}

}  // namespace dlvm
