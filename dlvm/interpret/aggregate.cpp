// Rules of tuples, calls and terminators.
#include "dlvm/interpret/evaluation.h"
#include "dlvm/ir/instruction_views.h"

namespace dlvm::evaluation::rules {

namespace {

RuntimeValue successor(std::int64_t number) { return Tensor::scalar(ElementType::i64, number); }

}  // namespace

RULE(branch) { return successor(0); }

RULE(conditional) { return successor(e.operand(0).integer(0) != 0 ? 0 : 1); }

RULE(trap) { return e.fail(InterpretError::Kind::trap, "the function traps"); }

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
