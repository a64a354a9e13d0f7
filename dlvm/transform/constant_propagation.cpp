#include "dlvm/transform/constant_propagation.h"

#include <algorithm>

#include "dlvm/analysis/internal_calls.h"
#include "dlvm/transform/constant_folding.h"
#include "dlvm/transform/dead_code_elimination.h"
#include "dlvm/transform/rewrite.h"
#include "dlvm/transform/sparse_propagation.h"
#include "dlvm/transform/tensor_canonicalization.h"

namespace dlvm {
namespace {

Value* fold_instruction(Instruction& i, Builder& b) {
  const auto is_literal = [](const Value* operand) { return as_literal(operand) != nullptr; };
  if (!std::ranges::all_of(i.operands(), is_literal)) return nullptr;
  std::vector<const Literal*> operands;
  for (const Value* operand : i.operands()) operands.push_back(as_literal(operand));
  return folded(i, operands, b.function());
}

/// Returns the literal that all calls pass for the parameter, or null. A function that calls itself may pass
/// on what it was given.
const Literal* literal_of_calls(const Argument& parameter, const std::vector<Instruction*>& calls) {
  const Literal* common = nullptr;
  for (const Instruction* call : calls) {
    const Value* passed = call->operand(parameter.index());
    if (passed == &parameter) continue;
    const Literal* literal = as_literal(passed);
    if (literal == nullptr || !(literal->type() == parameter.type())) return nullptr;
    if (common != nullptr && !common->is_same_as(*literal)) return nullptr;
    common = literal;
  }
  return common;
}

bool propagate_into_parameters(Module& module) {
  if (!has_internal_functions(module)) return false;
  bool changed = false;
  const InternalCalls internal = find_internal_calls(module);
  for (const auto& function : module.functions()) {
    const auto calls = internal.find(function.get());
    if (calls == internal.end()) continue;
    for (const auto& parameter : function->entry().arguments()) {
      const Literal* literal =
          parameter->users().empty() ? nullptr : literal_of_calls(*parameter, calls->second);
      if (literal == nullptr) continue;
      replace_all_uses(*parameter, *function->copy(*literal, parameter->type()));
      changed = true;
    }
  }
  return changed;
}

}  // namespace

bool constant_propagation(Module& module) {
  const bool changed = propagate_into_parameters(module);
  return for_each_body(module, [](Function& body) { return constant_propagation(body); }) || changed;
}

bool constant_propagation(Function& function) {
  constexpr RewriteRule rules[]{{OpcodeSet::all(), fold_instruction}};
  const bool named = resolve_named_constants(function);
  const bool sparse = function.blocks().size() > 1 && sparse_propagation(function);
  if (sparse) remove_dead_instructions(function);
  return rewrite(function, rules) || sparse || named;
}

}  // namespace dlvm
