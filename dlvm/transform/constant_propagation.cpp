#include "dlvm/transform/constant_propagation.h"

#include <algorithm>

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

}  // namespace

bool constant_propagation(Function& function) {
  constexpr RewriteRule rules[]{{OpcodeSet::all(), fold_instruction}};
  const bool named = resolve_named_constants(function);
  const bool sparse = function.blocks().size() > 1 && sparse_propagation(function);
  if (sparse) remove_dead_instructions(function);
  return rewrite(function, rules) || sparse || named;
}

}  // namespace dlvm
