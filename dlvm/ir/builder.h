#pragma once

#include <optional>
#include <string>
#include <vector>

#include "dlvm/ir/function.h"
#include "dlvm/ir/window.h"

namespace dlvm {

/// Adds instructions to a block: at its end, or before a given instruction. The result's type follows from
/// the table; operands that do not fit are a mistake of the caller and end in `internal_error` (use
/// `infer_type` first where they may not fit). Elementwise instructions broadcast.
class Builder {
 public:
  explicit Builder(BasicBlock& block, const Instruction* before = nullptr)
      : block_(&block), before_(before) {}

  Function& function() const { return block_->function(); }
  BasicBlock& block() const { return *block_; }
  /// Sets the location of the instructions that are built from now on.
  void set_locations(std::vector<Location> locations) { locations_ = std::move(locations); }
  const std::vector<Location>& locations() const { return locations_; }

  Value* create(Opcode opcode, std::vector<Value*> operands, std::vector<Attribute> attributes = {},
                std::vector<Successor> successors = {});

  /// Returns a scalar literal of this element type.
  Value* constant(ElementType element, double value) { return function().literal(element, value); }
  Value* splat(const Type& type, double value) { return function().splat(type, value); }

  Value* unary(Opcode opcode, Value* x) { return create(opcode, {x}); }
  Value* binary(Opcode opcode, Value* x, Value* y) { return create(opcode, {x, y}); }
  Value* add(Value* x, Value* y) { return binary(Opcode::add, x, y); }
  Value* subtract(Value* x, Value* y) { return binary(Opcode::subtract, x, y); }
  Value* multiply(Value* x, Value* y) { return binary(Opcode::multiply, x, y); }
  Value* divide(Value* x, Value* y) { return binary(Opcode::divide, x, y); }
  Value* negate(Value* x) { return unary(Opcode::negate, x); }

  Value* select(Value* where_true, Value* where_false, Value* condition) {
    return create(Opcode::select, {where_true, where_false, condition});
  }
  Value* cast(Value* x, ElementType to) { return create(Opcode::dataTypeCast, {x}, {to}); }

  Value* pad_shape(Value* x, std::int64_t at) { return create(Opcode::padShape, {x}, {Integers{at}}); }
  Value* squeeze_shape(Value* x, std::int64_t at) {
    return create(Opcode::squeezeShape, {x}, {Integers{at}});
  }
  /// Returns `x` in that shape; `x` itself if it has the shape.
  Value* shape_cast(Value* x, Shape to);
  Value* broadcast(Value* x, Shape to);
  Value* transpose(Value* x, Integers permutation) {
    return create(Opcode::transpose, {x}, {std::move(permutation)});
  }
  Value* reverse(Value* x, Integers axes) { return create(Opcode::reverse, {x}, {std::move(axes)}); }
  /// `steps` empty: 1 everywhere.
  Value* slice(Value* x, Shape from, Shape upto, Integers steps = {});
  Value* concatenate(std::vector<Value*> parts, std::int64_t axis) {
    return create(Opcode::concatenate, std::move(parts), {Integers{axis}});
  }
  Value* pad(Value* x, ExtentPairs amounts, Value* fill) {
    return create(Opcode::pad, {x, fill}, {std::move(amounts)});
  }
  Value* gather(Value* x, std::vector<Value*> indices, Integers axes);
  Value* scatter(Value* updates, Value* to, std::vector<Value*> indices, Combinator by, Integers axes);
  Value* iota(Shape shape, std::int64_t axis, ElementType element) {
    return create(Opcode::iota, {}, {std::move(shape), Integers{axis}, element});
  }
  Value* extent(Extent extent, ElementType element) {
    return create(Opcode::extent, {}, {Shape{std::move(extent)}, element});
  }
  /// `failure` is a `Failure`, or nothing for the check of an index.
  Value* check_index(Value* indices, Extent first, Extent end, Attribute failure = {}) {
    return create(Opcode::checkIndex, {indices},
                  {Shape{std::move(first)}, Shape{std::move(end)}, std::move(failure)});
  }

  Value* reduce(Value* x, Combinator by, Value* init, Integers axes) {
    return create(Opcode::reduce, {x, init}, {by, std::move(axes)});
  }
  /// Returns the sum over the axes; `x` itself if there are none.
  Value* sum(Value* x, Integers axes);
  Value* reduce_window(Value* x, Combinator by, Value* init, const std::vector<WindowAxis>& axes);
  Value* scan(Value* x, Combinator by, std::int64_t axis) {
    return create(Opcode::scan, {x}, {by, Integers{axis}});
  }
  Value* dot(Value* x, Value* y, AxisPairs contract, AxisPairs batch = {}) {
    return create(Opcode::dot, {x, y}, {std::move(contract), std::move(batch)});
  }
  /// The extents of the axes' inputs and taps follow from the operands.
  Value* convolve(Value* x, Value* kernel, const std::vector<WindowAxis>& axes, std::int64_t groups = 1);
  /// Builds random numbers between `low` and `high`. Either both `key` and `counter` are given or neither.
  Value* random(Shape shape, Value* low, Value* high, Value* key = nullptr, Value* counter = nullptr);

  Value* tuple(std::vector<Value*> elements) {
    return create(Opcode::literal, std::move(elements), {Attribute(), Attribute()});
  }
  /// Builds a value of a tuple, struct or array type.
  Value* aggregate(const Type& type, std::vector<Value*> components) {
    if (type.is_tuple()) return tuple(std::move(components));
    return create(Opcode::literal, std::move(components), {type, Attribute()});
  }
  Value* extract(Value* tuple, std::int64_t position) {
    return create(Opcode::extract, {tuple}, {Integers{position}});
  }
  Value* apply(const Function* callee, std::vector<Value*> arguments) {
    return create(Opcode::apply, std::move(arguments), {callee});
  }

  /// Builds an empty stack; without `capacity` it has no bound.
  Value* create_stack(std::optional<Extent> capacity = std::nullopt);
  void push(Value* value, Value* stack) { create(Opcode::push, {value, stack}); }
  Value* peek(Type type, Value* stack) { return create(Opcode::peek, {stack}, {std::move(type)}); }
  Value* pop(Type type, Value* stack) { return create(Opcode::pop, {stack}, {std::move(type)}); }

  Instruction* return_(Value* value);
  Instruction* branch(BasicBlock& to, std::vector<Value*> passed = {});
  Instruction* conditional(Value* condition, BasicBlock& where_true,
                           const std::vector<Value*>& passed_if_true, BasicBlock& where_false,
                           const std::vector<Value*>& passed_if_false);
  Instruction* trap() { return as_instruction(create(Opcode::trap, {})); }

 private:
  BasicBlock* block_;
  const Instruction* before_;
  std::vector<Location> locations_;
};

}  // namespace dlvm
