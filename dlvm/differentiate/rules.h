#pragma once

#include <string_view>
#include <variant>

#include "dlvm/analysis/dependence.h"
#include "dlvm/differentiate/expression.h"

/// The derivative table: a row for each instruction, from which both modes follow. Reverse mode is built;
/// forward mode (`[jvp]`) is to read the same rows: a tangent of a `Partials` row is the sum over its
/// operands of tangent times partial, of a `Linear` row the instruction itself applied to the tangents, of an
/// `CustomRule` row what the row says.
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

/// The cotangent of an operand, of the operand's type, from the cotangent of the result; null where it is
/// zero.
using TransposeRule = Value* (*)(Builder&, Instruction& primal, std::size_t operand, Value* cotangent);

/// result(i) depends on operands(i), broadcast, with these partials.
struct Partials {
  PartialRule by[2];
};
/// Linear in its floating operands.
struct Linear {
  TransposeRule transpose;
  bool in_each = false;  ///< in each alone (a product), not in all together (a sum)
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
/// Tuples, calls, the terminator: seen to by whoever walks the body.
struct Structural {};
/// No derivative is known: an error where one is needed.
struct None {};

struct DerivativeRow {
  Opcode opcode;
  std::variant<Partials, Linear, CustomRule, PiecewiseConstant, Detached, Structural, None> rule;
};

/// The row of the table, and the row in force (another only in tests, see testing.h).
const DerivativeRow& derivative_row(Opcode opcode);
const DerivativeRow& derivative(Opcode opcode);

/// The edge between an operand and the result, as the table says: of integers and bools always a step.
Edge derivative_edge(const Instruction& instruction, std::size_t operand);

/// Why the derivative of an instruction is not known, for a message.
std::string_view why_unknown(const Instruction& instruction);

/// cotangent × partial, of the cotangent's type: absorbing where the partial is no constant, so that an
/// element whose cotangent is zero stays zero. Null where the partial is the constant 0.
Value* scaled(Builder& builder, Value* cotangent, const Partial& partial);

/// `value` stretched to `shape`; a literal stays one.
Value* stretched(Builder& builder, Value* value, const Shape& shape);
/// The transpose of broadcasting: the sum over the axes of `value` that `type` lacks, or has as a literal 1
/// where `value` has not.
Value* unbroadcast(Builder& builder, Value* value, const Type& type);
Value* zeros(Builder& builder, const Type& type);
Value* ones(Builder& builder, const Type& type);

}  // namespace dlvm
