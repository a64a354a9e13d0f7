#pragma once

#include <cassert>
#include <span>

#include "dlvm/ir/function.h"
#include "dlvm/ir/window.h"

/// The parts of instructions by name, where the table has them by number:
///
///     if (const auto gather = as<Gather>(value)) use(gather.input(), gather.axes());
///
/// A view refers to an instruction that outlives it, or to none. Elementwise instructions need none: their
/// parts are operands. Each view has the parts of its instruction's row in instructions.def.
namespace dlvm {

/// A view of an instruction with one of these opcodes.
template <Opcode... opcodes>
class InstructionView {
 public:
  static bool takes(Opcode opcode) { return ((opcode == opcodes) || ...); }

  InstructionView() = default;
  /// Takes an instruction that has one of the opcodes.
  explicit InstructionView(const Instruction& instruction) : instruction_(&instruction) {
    assert(takes(instruction.opcode()));
  }

  /// Returns whether the view has an instruction. No other function may be called if it has none.
  explicit operator bool() const { return instruction_ != nullptr; }
  const Instruction& instruction() const { return *instruction_; }
  const Type& type() const { return instruction_->type(); }

 protected:
  Value* operand(std::size_t i) const { return instruction_->operand(i); }
  Value* optional_operand(std::size_t i) const {
    return i < instruction_->operands().size() ? operand(i) : nullptr;
  }
  std::span<Value* const> operands_from(std::size_t i) const {
    return std::span(instruction_->operands()).subspan(i);
  }
  /// Attribute `i` of the instruction, counted without its operands.
  template <typename T>
  const T& attribute(std::size_t i) const {
    return std::get<T>(instruction_->attributes()[i]);
  }
  /// Null where the optional attribute is not written.
  template <typename T>
  const T* optional_attribute(std::size_t i) const {
    return i < instruction_->attributes().size() ? std::get_if<T>(&instruction_->attributes()[i]) : nullptr;
  }
  /// Returns the only integer of attribute `i`, which counts axes or elements.
  std::size_t number(std::size_t i) const { return static_cast<std::size_t>(attribute<Integers>(i)[0]); }

 private:
  const Instruction* instruction_ = nullptr;
};

/// The view of the instruction behind `value`; none if it is null, no instruction, or another one. A view of
/// some of the instructions with its opcode says which fit.
template <typename View>
View as(const Value* value) {
  const Instruction* instruction = value == nullptr ? nullptr : as_instruction(value);
  if (instruction == nullptr || !View::takes(instruction->opcode())) return View();
  if constexpr (requires { View::fits(*instruction); })
    if (!View::fits(*instruction)) return View();
  return View(*instruction);
}
template <typename View>
View as(const Value& value) {
  return as<View>(&value);
}

// Control

struct Branch : InstructionView<Opcode::branch> {
  using InstructionView::InstructionView;
  BasicBlock* target() const { return instruction().successors()[0].block; }
  std::span<Value* const> passed() const { return operands_from(0); }
};

struct Conditional : InstructionView<Opcode::conditional> {
  using InstructionView::InstructionView;
  Value* condition() const { return operand(0); }
  BasicBlock* where_true() const { return instruction().successors()[0].block; }
  BasicBlock* where_false() const { return instruction().successors()[1].block; }
  std::span<Value* const> passed_if_true() const { return instruction().passed(0); }
  std::span<Value* const> passed_if_false() const { return instruction().passed(1); }
};

struct BranchEnum : InstructionView<Opcode::branchEnum> {
  using InstructionView::InstructionView;
  Value* value() const { return operand(0); }
  /// Returns the positions of the cases among those of the enum, in the order of the successors.
  const Integers& cases() const { return attribute<Integers>(0); }
};

struct Return : InstructionView<Opcode::return_> {
  using InstructionView::InstructionView;
  /// Returns the value, or null if the function has none.
  Value* value() const { return optional_operand(0); }
};

// Aggregates and calls

/// A tuple, struct, array or enum that is made of values.
struct Composite : InstructionView<Opcode::literal> {
  using InstructionView::InstructionView;
  static bool fits(const Instruction& literal) { return !literal.type().is_tensor(); }
  std::span<Value* const> components() const { return operands_from(0); }
  /// Returns the position of the case of an enum; null for what has none.
  const Integers* enum_case() const { return optional_attribute<Integers>(1); }
};

/// A constant tensor that has a name.
struct NamedConstant : InstructionView<Opcode::literal> {
  using InstructionView::InstructionView;
  static bool fits(const Instruction& literal) {
    return literal.type().is_tensor() && literal.operand(0)->type() == literal.type();
  }
  Value* constant() const { return operand(0); }
};

/// A tensor that is made of its elements along the first axis.
struct Stacked : InstructionView<Opcode::literal> {
  using InstructionView::InstructionView;
  static bool fits(const Instruction& literal) {
    return literal.type().is_tensor() && literal.operand(0)->type() != literal.type();
  }
  std::span<Value* const> elements() const { return operands_from(0); }
};

/// An element along the first axis of a tensor.
struct ExtractRow : InstructionView<Opcode::extract> {
  using InstructionView::InstructionView;
  static bool fits(const Instruction& extract) { return extract.operand(0)->type().is_tensor(); }
  std::size_t position() const { return number(0); }
  Value* tensor() const { return operand(0); }
};

/// A component of a tuple, struct or array.
struct Extract : InstructionView<Opcode::extract> {
  using InstructionView::InstructionView;
  static bool fits(const Instruction& extract) { return !extract.operand(0)->type().is_tensor(); }
  std::size_t position() const { return number(0); }
  Value* aggregate() const { return operand(0); }
};

struct Insert : InstructionView<Opcode::insert> {
  using InstructionView::InstructionView;
  Value* element() const { return operand(0); }
  Value* aggregate() const { return operand(1); }
  std::size_t position() const { return number(0); }
};

/// The call of a function that the instruction names.
struct Apply : InstructionView<Opcode::apply> {
  using InstructionView::InstructionView;
  static bool fits(const Instruction& apply) {
    const auto* callee = std::get_if<const Function*>(apply.attributes().data());
    return callee != nullptr && *callee != nullptr;
  }
  const Function* callee() const { return attribute<const Function*>(0); }
  std::span<Value* const> arguments() const { return operands_from(0); }
};

/// The call of a value of a function type.
struct ApplyValue : InstructionView<Opcode::apply> {
  using InstructionView::InstructionView;
  static bool fits(const Instruction& apply) {
    const auto* callee = std::get_if<const Function*>(apply.attributes().data());
    return callee != nullptr && *callee == nullptr;
  }
  Value* function() const { return operand(0); }
  std::span<Value* const> arguments() const { return operands_from(1); }
};

/// A value of a function type that is a function of the module.
struct FunctionValue : InstructionView<Opcode::literal> {
  using InstructionView::InstructionView;
  static bool fits(const Instruction& literal) { return literal.type().kind() == Type::Kind::function; }
  const Function* function() const { return attribute<const Function*>(2); }
};

// Shape

struct Transpose : InstructionView<Opcode::transpose> {
  using InstructionView::InstructionView;
  Value* input() const { return operand(0); }
  /// Axis i of the result is axis permutation[i] of the input; where none is written, all axes reversed.
  Integers permutation() const;
};

struct PadShape : InstructionView<Opcode::padShape> {
  using InstructionView::InstructionView;
  Value* input() const { return operand(0); }
  std::size_t axis() const { return number(0); }
};

struct SqueezeShape : InstructionView<Opcode::squeezeShape> {
  using InstructionView::InstructionView;
  Value* input() const { return operand(0); }
  std::size_t axis() const { return number(0); }
};

struct Reverse : InstructionView<Opcode::reverse> {
  using InstructionView::InstructionView;
  Value* input() const { return operand(0); }
  const Integers& axes() const { return attribute<Integers>(0); }
};

struct Slice : InstructionView<Opcode::slice> {
  using InstructionView::InstructionView;
  Value* input() const { return operand(0); }
  const Shape& first() const { return attribute<Shape>(0); }
  const Shape& end() const { return attribute<Shape>(1); }
  bool has_steps() const { return optional_attribute<Integers>(2) != nullptr; }
  /// Returns the step along the axis, which is 1 if the text has no steps.
  std::int64_t step(std::size_t axis) const { return has_steps() ? attribute<Integers>(2)[axis] : 1; }
};

struct Concatenate : InstructionView<Opcode::concatenate> {
  using InstructionView::InstructionView;
  std::span<Value* const> inputs() const { return operands_from(0); }
  std::size_t axis() const { return number(0); }
};

struct Pad : InstructionView<Opcode::pad> {
  using InstructionView::InstructionView;
  Value* input() const { return operand(0); }
  const ExtentPairs& amounts() const { return attribute<ExtentPairs>(0); }
  Value* fill() const { return operand(1); }
};

// Indexing

struct Gather : InstructionView<Opcode::gather> {
  using InstructionView::InstructionView;
  Value* input() const { return operand(0); }
  std::span<Value* const> indices() const { return operands_from(1); }
  const Integers& axes() const { return attribute<Integers>(0); }
};

struct Scatter : InstructionView<Opcode::scatter> {
  using InstructionView::InstructionView;
  Value* updates() const { return operand(0); }
  Value* input() const { return operand(1); }
  std::span<Value* const> indices() const { return operands_from(2); }
  const Combinator& combinator() const { return attribute<Combinator>(0); }
  const Integers& axes() const { return attribute<Integers>(1); }
};

struct Iota : InstructionView<Opcode::iota> {
  using InstructionView::InstructionView;
  const Shape& shape() const { return attribute<Shape>(0); }
  std::size_t axis() const { return number(1); }
};

/// `extent N: i32`.
struct ExtentValue : InstructionView<Opcode::extent> {
  using InstructionView::InstructionView;
  const Extent& extent() const { return attribute<Shape>(0)[0]; }
};

struct CheckIndex : InstructionView<Opcode::checkIndex> {
  using InstructionView::InstructionView;
  Value* indices() const { return operand(0); }
  const Extent& first() const { return attribute<Shape>(0)[0]; }
  const Extent& end() const { return attribute<Shape>(1)[0]; }
  /// Returns what is wrong where the check fails; null if an index is.
  const Failure* failure() const { return optional_attribute<Failure>(2); }
};

// Aggregation and linear algebra

struct Reduce : InstructionView<Opcode::reduce> {
  using InstructionView::InstructionView;
  Value* input() const { return operand(0); }
  const Combinator& combinator() const { return attribute<Combinator>(0); }
  Value* initial() const { return operand(1); }
  const Integers& axes() const { return attribute<Integers>(1); }
};

struct ReduceWindow : InstructionView<Opcode::reduceWindow> {
  using InstructionView::InstructionView;
  Value* input() const { return operand(0); }
  const Combinator& combinator() const { return attribute<Combinator>(0); }
  Value* initial() const { return operand(1); }
  /// Returns how the window goes over each axis, with the defaults filled in.
  std::vector<WindowAxis> axes() const;
};

struct Scan : InstructionView<Opcode::scan> {
  using InstructionView::InstructionView;
  Value* input() const { return operand(0); }
  const Combinator& combinator() const { return attribute<Combinator>(0); }
  std::size_t axis() const { return number(1); }
};

struct Recurrence : InstructionView<Opcode::recurrence> {
  using InstructionView::InstructionView;
  Value* factors() const { return operand(0); }
  Value* terms() const { return operand(1); }
  std::size_t axis() const { return number(0); }
};

/// `sort` and `argsort`.
struct Sort : InstructionView<Opcode::sort, Opcode::argsort> {
  using InstructionView::InstructionView;
  Value* input() const { return operand(0); }
  bool is_descending() const {
    const auto* comparison = optional_attribute<Combinator>(0);
    return comparison != nullptr && comparison->is(Opcode::greaterThan);
  }
  std::size_t axis() const { return number(1); }
};

struct TopK : InstructionView<Opcode::topk> {
  using InstructionView::InstructionView;
  Value* input() const { return operand(0); }
  const Extent& count() const { return attribute<Shape>(0)[0]; }
  std::size_t axis() const { return number(1); }
};

struct ArgExtremum : InstructionView<Opcode::argmax, Opcode::argmin> {
  using InstructionView::InstructionView;
  Value* input() const { return operand(0); }
  std::size_t axis() const { return number(0); }
};

struct Dot : InstructionView<Opcode::dot> {
  using InstructionView::InstructionView;
  Value* left() const { return operand(0); }
  Value* right() const { return operand(1); }
  /// Returns the axes, with the default ones if the text has none.
  DotAxes axes() const { return dot_axes(left()->type(), right()->type(), instruction().attributes()); }
};

struct Convolve : InstructionView<Opcode::convolve> {
  using InstructionView::InstructionView;
  Value* input() const { return operand(0); }
  Value* kernel() const { return operand(1); }
  /// Returns how the kernel goes over each spatial axis, with the defaults filled in.
  std::vector<WindowAxis> axes() const;
  std::int64_t groups() const {
    const auto* written = optional_attribute<Integers>(4);
    return written == nullptr ? 1 : written->front();
  }
};

struct Random : InstructionView<Opcode::random> {
  using InstructionView::InstructionView;
  Value* low() const { return operand(0); }
  Value* high() const { return operand(1); }
  /// Return the optional operands, or null if they are not given.
  Value* key() const { return optional_operand(2); }
  Value* counter() const { return optional_operand(3); }
};

}  // namespace dlvm
