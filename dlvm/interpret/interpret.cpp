#include "dlvm/interpret/interpret.h"

#include <fmt/format.h>

#include <cmath>
#include <unordered_map>

#include "dlvm/interpret/arguments.h"
#include "dlvm/interpret/evaluation.h"
#include "dlvm/interpret/last_uses.h"
#include "dlvm/ir/elements.h"
#include "dlvm/ir/module.h"

namespace dlvm {
namespace {

using evaluation::Outcome;
using Kind = InterpretError::Kind;

bool is_finite(const RuntimeValue& value) {
  for (const RuntimeValue& element : value.elements())
    if (!is_finite(element)) return false;
  if (!value.is_tensor() || !is_floating(value.tensor().element())) return true;
  for (const double x : elements::reals(value.tensor()))
    if (!std::isfinite(x)) return false;
  return true;
}

class Interpreter {
 public:
  explicit Interpreter(const InterpretOptions& options) : options_(options), memory_(options.byte_limit) {}

  Outcome call(const Function& function, std::vector<RuntimeValue> arguments, const Extent::Bindings& outer,
               InterpretError& error);

 private:
  /// The values of one call that may still be needed.
  struct Frame {
    std::unordered_map<const Value*, RuntimeValue> values;
    Extent::Bindings dimensions;
    const LastUses* last_uses = nullptr;
  };

  Outcome use(const Value& value, const Frame& frame, InterpretError& error);
  Outcome materialize(const Literal& literal, const Frame& frame, InterpretError& error);
  Outcome zero(const Type& type, const Frame& frame, InterpretError& error);
  Outcome address(const Global& variable, const Frame& frame, InterpretError& error);
  Outcome execute(const Function& function, std::vector<RuntimeValue> arguments, Frame& frame,
                  InterpretError& error);
  /// `operands` are the instruction's, for the caller to pass on.
  Outcome run(const Instruction& instruction, Frame& frame, std::vector<RuntimeValue>& operands,
              InterpretError& error);
  bool step(InterpretError& error);
  void enter(const BasicBlock& block, std::vector<RuntimeValue> arguments, Frame& frame);
  void define(const Value& value, RuntimeValue result, Frame& frame);
  void release(const Value& value, Frame& frame);
  const LastUses& last_uses(const Function& function);
  std::int64_t free_bytes() const {
    return options_.byte_limit - live_bytes_ - stack_bytes_ - memory_.bytes();
  }
  bool count_stacks(const Instruction& instruction, const std::vector<RuntimeValue>& operands,
                    const RuntimeValue& result, InterpretError& error);

  const InterpretOptions& options_;
  std::unordered_map<const Function*, std::unique_ptr<LastUses>> last_uses_;
  std::int64_t steps_ = 0;
  std::int64_t live_bytes_ = 0;
  Memory memory_;
  std::int64_t stack_bytes_ = 0;  ///< of what has been pushed and not been taken off
  int depth_ = 0;
  std::size_t detached_ = 0;  ///< values of `detach` replayed so far
};

Outcome Interpreter::zero(const Type& type, const Frame& frame, InterpretError& error) {
  const evaluation::Caller no_calls;
  const Instruction empty(Opcode::literal, Type(), {}, {});
  evaluation::Evaluation e{empty,    {}, frame.dimensions, options_.float64, free_bytes(),
                           no_calls, {}, &memory_};
  Outcome made = evaluation::zero_of(type, e);
  if (!made) error = std::move(e.error);
  return made;
}

/// A variable begins with zeros where it is used for the first time.
Outcome Interpreter::address(const Global& variable, const Frame& frame, InterpretError& error) {
  auto object = memory_.global(variable);
  if (object == nullptr) {
    const Outcome initial = zero(variable.type, frame, error);
    if (initial) object = memory_.allocate(MemoryObject::Kind::global, *initial, 1, error);
    if (object == nullptr) return std::nullopt;
    memory_.add_global(variable, object);
  }
  return RuntimeValue::pointer(std::make_shared<const MemoryPointer>(MemoryPointer{std::move(object), {}}));
}

Outcome Interpreter::materialize(const Literal& literal, const Frame& frame, InterpretError& error) {
  if (literal.global() != nullptr) return address(*literal.global(), frame, error);
  if (!literal.type().is_tensor()) return zero(literal.type(), frame, error);
  const ElementType stored = literal.data().element();
  const ElementType element = options_.float64 && is_floating(stored) ? ElementType::f64 : stored;
  const auto extents =
      evaluation::concrete_shape(literal.type().shape(), element, frame.dimensions, free_bytes(), error);
  if (!extents) return std::nullopt;
  return RuntimeValue(elements::stretched(elements::converted(literal.data(), element), *extents));
}

Outcome Interpreter::use(const Value& value, const Frame& frame, InterpretError& error) {
  if (const Literal* literal = as_literal(&value)) return materialize(*literal, frame, error);
  return frame.values.at(&value);
}

void Interpreter::define(const Value& value, RuntimeValue result, Frame& frame) {
  if (value.users().empty()) return;
  release(value, frame);  // of the last time round a loop
  live_bytes_ += result.byte_count();
  frame.values[&value] = std::move(result);
}

void Interpreter::release(const Value& value, Frame& frame) {
  const auto found = frame.values.find(&value);
  if (found == frame.values.end()) return;
  live_bytes_ -= found->second.byte_count();
  frame.values.erase(found);
}

const LastUses& Interpreter::last_uses(const Function& function) {
  auto& known = last_uses_[&function];
  if (known == nullptr) known = std::make_unique<LastUses>(function);
  return *known;
}

bool Interpreter::step(InterpretError& error) {
  if (++steps_ <= options_.step_limit) return true;
  error.kind = Kind::steps;
  error.text = fmt::format(
      "more than {} branches and calls; the limit keeps a run that does not end from "
      "going on for ever",
      options_.step_limit);
  return false;
}

Outcome Interpreter::run(const Instruction& instruction, Frame& frame, std::vector<RuntimeValue>& operands,
                         InterpretError& error) {
  const bool steps = !instruction.successors().empty() || instruction.opcode() == Opcode::apply;
  if (steps && !step(error)) return std::nullopt;
  for (const Value* operand : instruction.operands()) {
    auto value = use(*operand, frame, error);
    if (!value) return std::nullopt;
    operands.push_back(std::move(*value));
  }
  if (options_.proceed && !instruction.is(Trait::terminator) &&
      !options_.proceed(instruction, operands, frame.dimensions)) {
    error.kind = Kind::stopped;
    error.text = "the run was stopped";
    return std::nullopt;
  }
  for (const Value* last : frame.last_uses->at(instruction)) release(*last, frame);
  const evaluation::Caller caller = [&](const Function& callee, std::vector<RuntimeValue> arguments,
                                        InterpretError& inner) {
    return call(callee, std::move(arguments), frame.dimensions, inner);
  };
  evaluation::Evaluation e{instruction, operands, frame.dimensions, options_.float64, free_bytes(),
                           caller,      {},       &memory_};
  const bool detaches = options_.detached != nullptr && instruction.opcode() == Opcode::detach;
  Outcome result;
  if (detaches && options_.replay_detached && detached_ < options_.detached->size())
    result = (*options_.detached)[detached_++];
  else
    result = evaluation::rule(instruction.opcode())(e);
  if (!result) {
    error = std::move(e.error);
    return std::nullopt;
  }
  if (instruction.is(Trait::effect) && !count_stacks(instruction, operands, *result, error))
    return std::nullopt;
  if (detaches && !options_.replay_detached) options_.detached->push_back(*result);
  if (options_.observe && !instruction.is(Trait::terminator))
    options_.observe(instruction, operands, *result);
  if (options_.check_finite && depth_ == 1 && !instruction.name().empty() && !is_finite(*result)) {
    error.kind = Kind::not_finite;
    error.text = fmt::format("{} is not finite", instruction.name());
    return std::nullopt;
  }
  return result;
}

bool Interpreter::count_stacks(const Instruction& instruction, const std::vector<RuntimeValue>& operands,
                               const RuntimeValue& result, InterpretError& error) {
  if (instruction.opcode() == Opcode::pop)
    stack_bytes_ = std::max<std::int64_t>(0, stack_bytes_ - result.byte_count());
  if (instruction.opcode() == Opcode::push) stack_bytes_ += operands[0].byte_count();
  if (free_bytes() >= 0) return true;
  error.kind = Kind::memory;
  error.text = "the stacks are over the memory limit";
  return false;
}

void Interpreter::enter(const BasicBlock& block, std::vector<RuntimeValue> arguments, Frame& frame) {
  // On this way, what another successor would have used is not needed any more.
  if (const auto* live = frame.last_uses->live_in(block)) {
    std::vector<const Value*> dead;
    for (const auto& [value, held] : frame.values)
      if (!live->contains(value)) dead.push_back(value);
    for (const Value* value : dead) release(*value, frame);
  }
  for (std::size_t i = 0; i < arguments.size(); ++i)
    define(*block.arguments()[i], std::move(arguments[i]), frame);
}

Outcome Interpreter::execute(const Function& function, std::vector<RuntimeValue> arguments, Frame& frame,
                             InterpretError& error) {
  const BasicBlock* block = &function.entry();
  enter(*block, std::move(arguments), frame);
  for (auto at = block->instructions().begin();;) {
    const Instruction& instruction = **at++;
    std::vector<RuntimeValue> operands;
    Outcome result = run(instruction, frame, operands, error);
    if (!result) {
      if (error.function.empty()) error.function = function.name();
      if (error.locations.empty()) error.locations = instruction.locations();
      return std::nullopt;
    }
    if (!instruction.is(Trait::terminator)) {
      define(instruction, std::move(*result), frame);
      continue;
    }
    if (instruction.successors().empty()) return result;
    const auto taken = static_cast<std::size_t>(result->tensor().integer(0));
    const Successor& next = instruction.successors()[taken];
    block = next.block;
    at = block->instructions().begin();
    if (instruction.supplies_arguments()) {
      const auto payload = operands[0].elements();
      enter(*block, {payload.begin(), payload.end()}, frame);
      continue;
    }
    const auto first = operands.begin() + static_cast<std::ptrdiff_t>(instruction.first_passed(taken));
    enter(*block, {first, first + static_cast<std::ptrdiff_t>(next.passed)}, frame);
  }
}

Outcome Interpreter::call(const Function& function, std::vector<RuntimeValue> arguments,
                          const Extent::Bindings& outer, InterpretError& error) {
  const auto fail = [&](Kind kind, std::string text) {
    error.kind = kind;
    error.text = std::move(text);
    error.function = function.name();
    return std::nullopt;
  };
  if (!function.has_body()) {
    if (options_.call_external) options_.call_external(function, arguments);
    return fail(
        Kind::external,
        fmt::format("@{} is {}", function.name(),
                    function.gradient ? "a gradient declaration that no pass has expanded" : "external"));
  }
  if (depth_ >= options_.call_depth_limit)
    return fail(Kind::memory, fmt::format("calls nest deeper than {}", depth_));

  Frame frame;
  if (depth_ == 0) frame.dimensions = outer;
  error.function = function.name();
  if (!evaluation::bind_arguments(function, arguments, options_.float64, outer, frame.dimensions, error))
    return std::nullopt;

  const std::int64_t live_before = live_bytes_;
  const std::size_t stack_before = memory_.stack_size();
  ++depth_;
  frame.last_uses = &last_uses(function);
  Outcome result = execute(function, std::move(arguments), frame, error);
  --depth_;
  live_bytes_ = live_before;
  memory_.end_stack(stack_before);
  return result;
}

}  // namespace

Interpretation interpret(const Function& function, std::span<const RuntimeValue> arguments,
                         const InterpretOptions& options) {
  InterpretError error;
  auto value =
      Interpreter(options).call(function, {arguments.begin(), arguments.end()}, options.dimensions, error);
  if (!value) return {RuntimeValue(), std::move(error)};
  return {std::move(*value), std::nullopt};
}

}  // namespace dlvm
