// Rules of stacks.
#include <fmt/format.h>

#include "dlvm/interpret/evaluation.h"

namespace dlvm::evaluation::rules {
namespace {

/// Whether the value is what a value of the type is when it is interpreted.
bool is_of(Evaluation& e, const Type& type, const RuntimeValue& value) {
  if (type.is_stack()) return value.is_stack();
  if (type.is_aggregate()) {
    const auto elements = value.elements();
    bool all = !value.is_tensor() && !value.is_stack() && elements.size() == type.component_count();
    for (std::size_t i = 0; all && i < elements.size(); ++i) all = is_of(e, type.component(i), elements[i]);
    return all;
  }
  if (!type.is_tensor()) return !value.is_tensor() && !value.is_stack();
  if (!value.is_tensor() || value.tensor().element() != e.interpreted(type.element()) ||
      value.tensor().extents().size() != type.rank())
    return false;
  for (std::size_t i = 0; i < type.rank(); ++i)
    if (type.shape()[i].evaluate(e.dimensions) != value.tensor().extents()[i]) return false;
  return true;
}

/// The stack that operand `i` is; null after an error.
RuntimeStack* stack_at(Evaluation& e, std::size_t i) {
  if (e.operands[i].is_stack()) return &e.operands[i].stack();
  e.fail(InterpretError::Kind::argument, "a stack is undefined where it is used");
  return nullptr;
}

/// The value on top; nothing after an error.
Outcome top(Evaluation& e) {
  const RuntimeStack* found = stack_at(e, 0);
  if (found == nullptr) return std::nullopt;
  const RuntimeStack& stack = *found;
  if (stack.values.empty() && stack.zeros_below) return zero_of(e.instruction.type(), e);
  if (stack.values.empty()) return e.fail(InterpretError::Kind::trap, "the stack is empty");
  if (is_of(e, e.instruction.type(), stack.values.back())) return stack.values.back();
  return e.fail(InterpretError::Kind::trap,
                fmt::format("the value on top of the stack is not {}", e.instruction.type().text()));
}

}  // namespace

RULE(createStack) {
  auto stack = std::make_shared<RuntimeStack>();
  if (const auto* capacity = std::get_if<Shape>(&e.instruction.attributes()[0])) {
    stack->capacity = e.extent(capacity->front());
    if (!stack->capacity) return std::nullopt;
  }
  stack->zeros_below = std::holds_alternative<Integers>(e.instruction.attributes()[1]);
  return RuntimeValue(std::move(stack));
}

RULE(destroyStack) { return RuntimeValue(); }

RULE(push) {
  RuntimeStack* found = stack_at(e, 1);
  if (found == nullptr) return std::nullopt;
  RuntimeStack& stack = *found;
  if (stack.capacity && static_cast<std::int64_t>(stack.values.size()) >= *stack.capacity)
    return e.fail(InterpretError::Kind::trap,
                  fmt::format("a stack of at most {} values is full", *stack.capacity));
  stack.values.push_back(e.operands[0]);
  return RuntimeValue();
}

RULE(peek) { return top(e); }

RULE(pop) {
  Outcome value = top(e);
  if (value && !e.operands[0].stack().values.empty()) e.operands[0].stack().values.pop_back();
  return value;
}

}  // namespace dlvm::evaluation::rules
