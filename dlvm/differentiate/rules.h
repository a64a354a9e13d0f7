#pragma once

#include <string_view>
#include <variant>

#include "dlvm/analysis/dependence.h"
#include "dlvm/differentiate/expression.h"

/// The derivative table: a row for each instruction, from which both modes follow. Reverse mode builds it;
/// forward mode differentiates what reverse mode builds for an instruction by the cotangent of its result
/// (tangents.h).
namespace dlvm {

/// A partial derivative: a constant, or a value that broadcasts to the result's shape.
struct Partial {
  Partial(double constant) : factor(constant) {}                          // NOLINT: a constant is a partial
  Partial(Expression expression) : value(expression.value), factor(1) {}  // NOLINT
  Value* value = nullptr;                                                 ///< null: the constant `factor`
  double factor;
};

/// The operands and the result of an elementwise instruction; `y` only of a binary one.
struct Primal {
  Expression x, y, result;
  const Instruction* instruction;
};
using PartialRule = Partial (*)(const Primal&);

/// The cotangent of an operand, of the operand's type, from the cotangent of the result; null if it is
/// zero.
using TransposeRule = Value* (*)(Builder&, Instruction& primal, std::size_t operand, Value* cotangent);

/// result(i) depends on operands(i), broadcast, with these partials.
struct Partials {
  PartialRule by[2];
  std::string_view text[2] = {};  ///< the formulas as they are written, for the documentation
};
/// Linear in its floating operands.
struct Linear {
  TransposeRule transpose;
  /// The rule is linear in each operand alone (a product), not in all together (a sum).
  bool in_each = false;
};
/// A rule of its own. `unknown` gives the reason why this instruction has no known derivative, or nothing.
struct CustomRule {
  TransposeRule reverse;
  std::string_view (*unknown)(const Instruction&) = nullptr;
};
/// The derivative is zero wherever there is one.
struct PiecewiseConstant {};
/// Declared to have no derivative.
struct Detached {};
/// Tuples, calls, terminators: seen to by whoever walks the body.
struct Structural {};
/// No derivative is known: an error where one is needed.
struct None {};

struct DerivativeRow {
  Opcode opcode;
  std::variant<Partials, Linear, CustomRule, PiecewiseConstant, Detached, Structural, None> rule;
};

/// Return the row of the table, and the row in force, which differs only in tests (testing.h).
const DerivativeRow& derivative_row(Opcode opcode);
const DerivativeRow& derivative(Opcode opcode);

/// Returns the edge between an operand and the result that the table says. For integers and bools it is
/// always a step.
Edge derivative_edge(const Instruction& instruction, std::size_t operand);

/// Returns the reason, for a message, why the derivative of an instruction is not known.
std::string_view why_unknown(const Instruction& instruction);

/// Builds cotangent × partial, of the cotangent's type. If the partial is no constant the product absorbs
/// zeros: an element whose cotangent is zero stays zero. Returns null if the partial is the constant 0.
Value* scaled(Builder& builder, Value* cotangent, const Partial& partial);

/// Builds the negative of a value; of a negative, what it is that of.
Value* negative(Builder& builder, Value* value);

/// Builds `value` broadcast to `shape`; a literal stays a literal.
Value* stretched(Builder& builder, Value* value, const Shape& shape);
/// Builds the transpose of broadcasting: the sum over the axes of `value` that `type` lacks, or whose extent
/// in `type` is a literal 1 but not in `value`.
Value* unbroadcast(Builder& builder, Value* value, const Type& type);
Value* zeros(Builder& builder, const Type& type);
Value* ones(Builder& builder, const Type& type);

}  // namespace dlvm
