#include "tests/fuzz/trace.h"

#include <algorithm>
#include <unordered_map>

#include "dlvm/interpret/interpret.h"
#include "dlvm/ir/elements.h"
#include "dlvm/ir/instruction_views.h"
#include "dlvm/ir/module.h"

namespace fuzz {
namespace {

using namespace dlvm;

class Trace {
 public:
  Trace(Builder& builder, std::vector<RuntimeValue> inputs) : builder_(builder), inputs_(std::move(inputs)) {}

  /// The result, or null where the run fails or is long.
  Value* follow(const Function& function) {
    std::vector<Traced> arguments;
    for (std::size_t i = 0; i < inputs_.size(); ++i)
      arguments.push_back({builder_.block().arguments()[i].get(), inputs_[i]});
    return call(function, std::move(arguments)) ? result_.value : nullptr;
  }

 private:
  struct Traced {
    Value* value;
    RuntimeValue now;
    std::size_t cell = 0;  ///< of an address
  };
  using Frame = std::unordered_map<const Value*, Traced>;

  bool call(const Function& function, std::vector<Traced> arguments) {
    Frame frame;
    const BasicBlock* block = &function.entry();
    for (;;) {
      if (++steps_ > 300) return false;
      for (std::size_t i = 0; i < arguments.size(); ++i) frame[block->arguments()[i].get()] = arguments[i];
      for (const auto& instruction : block->instructions()) {
        if (instruction->is(Trait::terminator)) break;
        if (!execute(*instruction, frame)) return false;
      }
      const Instruction& end = *block->terminator();
      if (end.opcode() == Opcode::trap) return false;
      if (end.opcode() == Opcode::return_) {
        result_ = at(end.operand(0), frame);
        return true;
      }
      const bool first =
          end.opcode() == Opcode::branch || at(end.operand(0), frame).now.tensor().integer(0) != 0;
      const std::size_t taken = first ? 0 : 1;
      arguments.clear();
      for (const Value* value : end.passed(taken)) arguments.push_back(at(value, frame));
      block = end.successors()[taken].block;
    }
  }

  Traced at(const Value* value, const Frame& frame) {
    if (const Literal* literal = as_literal(value); literal != nullptr && literal->global() != nullptr) {
      const auto [place, fresh] = variables_.try_emplace(literal->global(), cells_.size());
      if (fresh) add_zeros(literal->global()->type);
      return {nullptr, {}, place->second};
    }
    if (const Literal* literal = as_literal(value)) {
      if (literal->form() != Literal::Form::data) return {nullptr, {}};
      Value* copy = builder_.function().literal(literal->type().substitute(names_), literal->data());
      if (literal->type().is_scalar()) return {copy, literal->data()};
      return {copy, elements::stretched(literal->data(), {3})};
    }
    return frame.at(value);
  }

  bool execute(const Instruction& from, Frame& frame) {
    std::vector<Traced> operands;
    std::vector<Value*> values;
    for (const Value* operand : from.operands()) {
      operands.push_back(at(operand, frame));
      values.push_back(operands.back().value);
    }
    if (is_of_memory(from)) return work_on_memory(from, operands, frame);
    if (const auto apply = as<Apply>(from)) {
      if (!call(*apply.callee(), operands)) return false;
      frame[&from] = result_;
      return true;
    }
    std::vector<Attribute> attributes;
    for (const Attribute& each : from.attributes()) attributes.push_back(substitute(each, names_));
    Value* made = builder_.create(from.opcode(), values, attributes);
    RuntimeValue now;
    if (from.opcode() == Opcode::literal) {
      std::vector<RuntimeValue> all;
      for (const Traced& operand : operands) all.push_back(operand.now);
      now = RuntimeValue(std::move(all));
    } else if (const auto extract = as<Extract>(from)) {
      now = operands[0].now.elements()[extract.position()];
    } else {
      std::vector<Tensor> tensors;
      for (const Traced& operand : operands) tensors.push_back(operand.now.tensor());
      const auto folded = fold(*as_instruction(made), tensors);
      if (!folded) return false;
      now = *folded;
    }
    frame[&from] = {made, now};
    return true;
  }

  // -------------------------------------------------------------------------------------------- memory

  static bool is_of_memory(const Instruction& instruction) {
    const auto is_address = [](const Type& type) { return type.is_pointer() || type.is_box(); };
    return is_address(instruction.type()) ||
           std::ranges::any_of(instruction.operands(), [&](const Value* operand) {
             return is_address(operand->type()) && instruction.opcode() != Opcode::apply;
           });
  }

  static std::size_t size(const Type& type) {
    if (type.is_tensor()) return type.is_scalar() ? 1 : 3;
    if (!type.is_aggregate()) return 1;
    std::size_t all = 0;
    for (const Type& component : type.components()) all += size(component);
    return all;
  }

  std::size_t allocate(const Type& type, std::int64_t count) {
    const std::size_t first = cells_.size();
    for (std::int64_t i = 0; i < count; ++i) add_zeros(type);
    return first;
  }
  void add_zeros(const Type& type) {
    if (type.is_aggregate()) {
      for (const Type& component : type.components()) add_zeros(component);
    } else if (!type.is_tensor()) {
      cells_.push_back({nullptr, {}});
    } else {
      const Traced zero{builder_.constant(type.element(), 0), Tensor::scalar(type.element(), 0.0)};
      cells_.insert(cells_.end(), size(type), zero);
    }
  }

  bool work_on_memory(const Instruction& from, const std::vector<Traced>& operands, Frame& frame) {
    const auto integer = [&](std::size_t i) { return operands[i].now.tensor().integer(0); };
    switch (from.opcode()) {
      case Opcode::allocateStack:
      case Opcode::allocateBox:
      case Opcode::allocateHeap: {
        std::int64_t count = 1;
        if (from.opcode() == Opcode::allocateHeap) count = integer(0);
        if (from.opcode() == Opcode::allocateStack)
          count = *std::get<Shape>(from.attributes()[1])[0].constant();
        frame[&from] = {nullptr, {}, allocate(from.type().pointee(), count)};
        return true;
      }
      case Opcode::projectBox:
        frame[&from] = operands[0];
        return true;
      case Opcode::elementPointer:
        frame[&from] = {nullptr, {}, component(from, operands)};
        return true;
      case Opcode::load:
        frame[&from] = load(from.type(), operands[0].cell);
        return true;
      case Opcode::store:
        store(operands[0], from.operand(0)->type(), operands[1].cell);
        return true;
      case Opcode::copy: {
        const std::size_t count =
            size(from.operand(0)->type().pointee()) * static_cast<std::size_t>(integer(2));
        const auto first = cells_.begin() + static_cast<std::ptrdiff_t>(operands[0].cell);
        const std::vector<Traced> copied(first, first + static_cast<std::ptrdiff_t>(count));
        std::ranges::copy(copied, cells_.begin() + static_cast<std::ptrdiff_t>(operands[1].cell));
        return true;
      }
      default:
        return false;
    }
  }

  static std::size_t component(const Instruction& pointer, const std::vector<Traced>& operands) {
    Type type = pointer.operand(0)->type().pointee();
    std::size_t cell = operands[0].cell, next = 1;
    const auto given = [&] { return operands[next++].now.tensor().integer(0); };
    std::vector<std::int64_t> path = std::get<Integers>(pointer.attributes()[0]);
    for (std::int64_t& at : path)
      if (at == position_of_value) at = given();
    if (next < operands.size()) cell += size(type) * static_cast<std::size_t>(given());
    for (const std::int64_t at : path) {
      for (std::int64_t i = 0; i < at; ++i) cell += size(*component_type(type, i));
      type = *component_type(type, at);
    }
    return cell;
  }

  Traced load(const Type& type, std::size_t cell) {
    if (!type.is_tensor() || type.is_scalar()) return cells_[cell];
    std::vector<Value*> parts;
    Tensor now(type.element(), {3});
    for (std::size_t i = 0; i < 3; ++i) {
      parts.push_back(builder_.pad_shape(cells_[cell + i].value, 0));
      now.set(i, cells_[cell + i].now.tensor().real(0));
    }
    return {builder_.concatenate(parts, 0), now};
  }

  void store(const Traced& value, const Type& type, std::size_t cell) {
    if (!type.is_tensor() || type.is_scalar()) {
      cells_[cell] = value;
      return;
    }
    for (std::int64_t i = 0; i < 3; ++i) {
      const auto at = static_cast<std::size_t>(i);
      Value* element = builder_.slice(value.value, {Extent(i)}, {Extent(i) + 1});
      cells_[cell + at] = {builder_.shape_cast(element, {}),
                           Tensor::scalar(type.element(), value.now.tensor().real(at))};
    }
  }

  Builder& builder_;
  std::vector<RuntimeValue> inputs_;
  std::vector<Traced> cells_;
  std::unordered_map<const Global*, std::size_t> variables_;  ///< their cells
  const Extent::Substitution names_{{"N", 3}};
  Traced result_{};
  int steps_ = 0;
};

}  // namespace

Value* trace(Builder& builder, const std::vector<RuntimeValue>& inputs, const Function& function) {
  return Trace(builder, inputs).follow(function);
}

}  // namespace fuzz
