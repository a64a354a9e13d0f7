// Rules of tuples, calls and the return.
#include "dlvm/interpret/evaluation.h"
#include "dlvm/ir/instruction_views.h"

namespace dlvm::evaluation::rules {

RULE(return_) { return e.operands.empty() ? RuntimeValue() : e.operands[0]; }

RULE(literal) { return RuntimeValue(std::vector<RuntimeValue>(e.operands.begin(), e.operands.end())); }

RULE(extract) { return e.operands[0].elements()[Extract(e.instruction).position()]; }

RULE(insert) {
  const auto elements = e.operands[1].elements();
  std::vector<RuntimeValue> replaced(elements.begin(), elements.end());
  replaced[Insert(e.instruction).position()] = e.operands[0];
  return RuntimeValue(std::move(replaced));
}

RULE(apply) {
  return e.call(*Apply(e.instruction).callee(),
                std::vector<RuntimeValue>(e.operands.begin(), e.operands.end()), e.error);
}

}  // namespace dlvm::evaluation::rules
