#include "dlvm/ir/builder.h"

#include <fmt/format.h>

#include "dlvm/support/internal_error.h"

namespace dlvm {

Value* Builder::create(Opcode opcode, std::vector<Value*> operands, std::vector<Attribute> attributes,
                       std::vector<Successor> successors) {
  std::vector<Type> types;
  types.reserve(operands.size());
  for (const Value* operand : operands) types.push_back(operand->type());
  std::string why;
  auto type = infer_type(opcode, {types, attributes}, why);
  if (!type) {
    std::string given;
    for (const Type& t : types) given += " " + t.text();
    internal_error(
        fmt::format("@{}: built {}{}: {}", function().name(), definition(opcode).name, given, why));
  }
  auto instruction = std::make_unique<Instruction>(opcode, std::move(*type), std::move(operands),
                                                   std::move(attributes), std::move(successors));
  instruction->set_locations(locations_);
  return block_->insert(std::move(instruction), before_);
}

Value* Builder::shape_cast(Value* x, Shape to) {
  if (x->type().shape() == to) return x;
  return create(Opcode::shapeCast, {x}, {std::move(to)});
}

Value* Builder::broadcast(Value* x, Shape to) {
  if (x->type().shape() == to) return x;
  return create(Opcode::broadcast, {x}, {std::move(to)});
}

Value* Builder::slice(Value* x, Shape from, Shape upto, Integers steps) {
  return create(
      Opcode::slice, {x},
      {std::move(from), std::move(upto), steps.empty() ? Attribute() : Attribute(std::move(steps))});
}

Value* Builder::gather(Value* x, std::vector<Value*> indices, Integers axes) {
  indices.insert(indices.begin(), x);
  return create(Opcode::gather, std::move(indices), {std::move(axes)});
}

Value* Builder::scatter(Value* updates, Value* to, std::vector<Value*> indices, Combinator by,
                        Integers axes) {
  std::vector<Value*> operands{updates, to};
  operands.insert(operands.end(), indices.begin(), indices.end());
  return create(Opcode::scatter, std::move(operands), {by, std::move(axes)});
}

Value* Builder::sum(Value* x, Integers axes) {
  if (axes.empty()) return x;
  return reduce(x, {Opcode::add, nullptr}, constant(x->type().element(), 0), std::move(axes));
}

Value* Builder::reduce_window(Value* x, Combinator by, Value* init, const std::vector<WindowAxis>& axes) {
  WindowAttributes a(axes);
  Integers dims;
  for (const WindowAxis& axis : axes) dims.push_back(*axis.taps.constant());
  return create(
      Opcode::reduceWindow, {x, init},
      {by, std::move(dims), std::move(a.strides), std::move(a.padding), std::move(a.left_dilation)});
}

Value* Builder::convolve(Value* x, Value* kernel, const std::vector<WindowAxis>& axes, std::int64_t groups) {
  WindowAttributes a(axes);
  return create(Opcode::convolve, {x, kernel},
                {std::move(a.strides), std::move(a.padding), std::move(a.left_dilation),
                 std::move(a.right_dilation), groups == 1 ? Attribute() : Attribute(Integers{groups})});
}

Value* Builder::random(Shape shape, Value* low, Value* high, Value* key, Value* counter) {
  std::vector<Value*> operands{low, high};
  if (key != nullptr) operands.insert(operands.end(), {key, counter});
  return create(Opcode::random, std::move(operands), {std::move(shape)});
}

Value* Builder::create_stack(std::optional<Extent> capacity) {
  return create(Opcode::createStack, {}, {capacity ? Attribute(Shape{*capacity}) : Attribute(), Attribute()});
}

Instruction* Builder::return_(Value* value) {
  std::vector<Value*> operands;
  if (value != nullptr) operands.push_back(value);
  return as_instruction(create(Opcode::return_, std::move(operands)));
}

Instruction* Builder::branch(BasicBlock& to, std::vector<Value*> passed) {
  const std::size_t count = passed.size();
  return as_instruction(create(Opcode::branch, std::move(passed), {}, {{&to, count}}));
}

Instruction* Builder::conditional(Value* condition, BasicBlock& where_true,
                                  const std::vector<Value*>& passed_if_true, BasicBlock& where_false,
                                  const std::vector<Value*>& passed_if_false) {
  std::vector<Value*> operands{condition};
  operands.insert(operands.end(), passed_if_true.begin(), passed_if_true.end());
  operands.insert(operands.end(), passed_if_false.begin(), passed_if_false.end());
  return as_instruction(
      create(Opcode::conditional, std::move(operands), {},
             {{&where_true, passed_if_true.size()}, {&where_false, passed_if_false.size()}}));
}

}  // namespace dlvm
