// Rules of aggregates, enums, calls and terminators.
#include <algorithm>

#include "dlvm/interpret/evaluation.h"
#include "dlvm/ir/instruction_views.h"

namespace dlvm::evaluation::rules {

namespace {

RuntimeValue successor(std::int64_t number) { return Tensor::scalar(ElementType::i64, number); }

}  // namespace

RULE(branch) { return successor(0); }

RULE(conditional) { return successor(e.operand(0).integer(0) != 0 ? 0 : 1); }

RULE(branchEnum) {
  const auto& cases = BranchEnum(e.instruction).cases();
  const auto at = std::ranges::find(cases, e.operands[0].enum_case());
  if (at != cases.end()) return successor(at - cases.begin());
  return e.fail(InterpretError::Kind::argument,
                e.instruction.operand(0)->type().text() + " is undefined where its case is asked for");
}

RULE(trap) { return e.fail(InterpretError::Kind::trap, "the function traps"); }

RULE(return_) { return e.operands.empty() ? RuntimeValue() : e.operands[0]; }

RULE(literal) {
  if (const auto value = as<FunctionValue>(e.instruction)) return RuntimeValue::function(value.function());
  if (as<NamedConstant>(e.instruction)) return e.operands[0];
  if (as<Stacked>(e.instruction)) {
    auto whole = e.result();
    if (!whole) return std::nullopt;
    std::byte* at = whole->data();
    for (std::size_t i = 0; i < e.operands.size(); ++i)
      at = std::copy_n(e.operand(i).data(), e.operand(i).byte_count(), at);
    return RuntimeValue(std::move(*whole));
  }
  std::vector<RuntimeValue> components(e.operands.begin(), e.operands.end());
  if (const Integers* at = Composite(e.instruction).enum_case())
    return RuntimeValue::enumerator((*at)[0], std::move(components));
  return RuntimeValue(std::move(components));
}

RULE(extract) {
  if (const auto extract = as<Extract>(e.instruction)) return e.operands[0].elements()[extract.position()];
  auto row = e.result();
  if (!row) return std::nullopt;
  const std::size_t position = ExtractRow(e.instruction).position();
  std::copy_n(e.operand(0).data() + position * row->byte_count(), row->byte_count(), row->data());
  return RuntimeValue(std::move(*row));
}

RULE(insert) {
  const auto elements = e.operands[1].elements();
  std::vector<RuntimeValue> replaced(elements.begin(), elements.end());
  replaced[Insert(e.instruction).position()] = e.operands[0];
  return RuntimeValue(std::move(replaced));
}

RULE(apply) {
  const auto named = as<Apply>(e.instruction);
  const Function* callee = named ? named.callee() : e.operands[0].function();
  if (callee == nullptr)
    return e.fail(InterpretError::Kind::argument, "a function is undefined where it is called");
  const auto arguments = e.operands.subspan(named ? 0 : 1);
  return e.call(*callee, std::vector<RuntimeValue>(arguments.begin(), arguments.end()), e.error);
}

}  // namespace dlvm::evaluation::rules
