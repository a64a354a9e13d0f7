// Elementwise operators, and what they are on numbers without a type.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "frontend/check/calls/builtins.h"
#include "frontend/check/checker.h"
#include "frontend/check/diagnostics/type_diagnostics.h"
#include "frontend/check/expressions/operators.h"
#include "frontend/check/expressions/values.h"
#include "frontend/check/types/broadcast.h"
#include "frontend/check/types/elements.h"
#include "frontend/check/types/spelling.h"

namespace frontend::check {
namespace {

using dlvm::Opcode;

/// The instruction of an elementwise operator, in the order of `ast::BinaryOperator`; `•` and `^` are made
/// elsewhere.
constexpr Opcode opcodes[] = {Opcode::or_,         Opcode::and_,
                              Opcode::equal,       Opcode::notEqual,
                              Opcode::lessThan,    Opcode::lessThanOrEqual,
                              Opcode::greaterThan, Opcode::greaterThanOrEqual,
                              Opcode::add,         Opcode::subtract,
                              Opcode::multiply,    Opcode::divide,
                              Opcode::modulo};

bool holds(ast::BinaryOperator op, std::strong_ordering order) {
  if (op == ast::BinaryOperator::equal) return order == 0;
  if (op == ast::BinaryOperator::not_equal) return order != 0;
  if (op == ast::BinaryOperator::less) return order < 0;
  if (op == ast::BinaryOperator::less_equal) return order <= 0;
  return op == ast::BinaryOperator::greater ? order > 0 : order >= 0;
}

std::optional<Number> arithmetic(ast::BinaryOperator op, const Number& a, const Number& b) {
  if (op == ast::BinaryOperator::add) return a + b;
  if (op == ast::BinaryOperator::subtract) return a - b;
  if (op == ast::BinaryOperator::multiply) return a * b;
  if (op == ast::BinaryOperator::divide) return a / b;
  if (op != ast::BinaryOperator::modulo) return std::nullopt;
  const auto quotient = a / b;
  const auto whole = quotient ? b * quotient->floor() : std::nullopt;
  return whole ? a - *whole : std::nullopt;
}

/// Whether the result, or what it is computed from, is larger than every element type holds.
bool beyond_floats(ast::BinaryOperator op, const Number& a, const Number& b) {
  const auto left = a.nearest(ElementType::f64), right = b.nearest(ElementType::f64);
  if (!left || !right) return true;
  if (op == ast::BinaryOperator::power) return !std::isfinite(std::pow(*left, *right));
  if (op == ast::BinaryOperator::divide) return !std::isfinite(*left / *right);
  if (op == ast::BinaryOperator::multiply) return !std::isfinite(*left * *right);
  return !std::isfinite(*left + *right);
}

bool is_free_number(const Node* x) { return x != nullptr && x->is_constant() && x->type.is_scalar(); }

}  // namespace

std::string_view name_of(Opcode opcode) {
  for (std::size_t i = 0; i < std::size(opcodes); ++i)
    if (opcodes[i] == opcode) return ast::spelling(static_cast<ast::BinaryOperator>(i));
  if (opcode == Opcode::negate) return ast::spelling(ast::UnaryOperator::negate);
  if (opcode == Opcode::not_) return ast::spelling(ast::UnaryOperator::logical_not);
  if (opcode == Opcode::power || opcode == Opcode::square) return ast::spelling(ast::BinaryOperator::power);
  const auto called = std::ranges::find(builtins(), opcode, &Builtin::opcode);
  return called == builtins().end() ? dlvm::definition(opcode).name : called->name;
}

bool may_compute(BodyContext& context, std::size_t length, Location location) {
  if (context.checker.may_compute(length)) return true;
  context.diagnostics.report(numbers_take_long, location);
  return false;
}

namespace {

Node* make_exact(BodyContext& context, const std::optional<Number>& result, Node* a, Node* b,
                 ast::BinaryOperator op, Location location) {
  if (!result) {
    auto& report =
        context.diagnostics.report(number_too_long, location, ast::spelling(op), Number::bit_limit);
    if (beyond_floats(op, a->values[0], b->values[0]))
      report.fix(
          "no element type holds a number so large: write the expression so that each part is below 1.8e308");
    else
      report.fix(fmt::format("compute it in a type: (({} as float64) {} {}) as {}",
                             quoted_operand(a->place()), ast::spelling(op), quoted_operand(b->place()),
                             spelling(own_element(context))));
    return nullptr;
  }
  unify_elements(context, a->type.element, b->type.element);
  return make_constant(context, *result, a->type.element, location);
}

/// Numbers without a type are computed exactly. Nothing where the operands are none, or where there is no
/// number (a division by 0): then it is computed like any other value.
std::optional<Node*> fold_binary(BodyContext& context, ast::BinaryOperator op, Node* a, Node* b,
                                 Location location) {
  if (!is_free_number(a) || !is_free_number(b)) return std::nullopt;
  if (resolved(context, a->type.element).known() || resolved(context, b->type.element).known())
    return std::nullopt;
  const Number &left = a->values[0], &right = b->values[0];
  const bool divides = op == ast::BinaryOperator::divide || op == ast::BinaryOperator::modulo;
  if (op < ast::BinaryOperator::equal || (divides && right.is_zero())) return std::nullopt;
  if (!may_compute(context, left.length() + right.length(), location)) return nullptr;
  if (op <= ast::BinaryOperator::greater_equal)
    return make_constant(context, Number(holds(op, left <=> right)), ElementType::boolean, location);
  return make_exact(context, arithmetic(op, left, right), a, b, op, location);
}

/// The same for a power with an integer exponent.
std::optional<Node*> fold_power(BodyContext& context, Node* base, Node* exponent, Location location) {
  if (!is_free_number(base) || !is_free_number(exponent)) return std::nullopt;
  if (resolved(context, base->type.element).known() || resolved(context, exponent->type.element).known())
    return std::nullopt;
  const Number &number = base->values[0], &times = exponent->values[0];
  if (!times.is_integer() || (number.is_zero() && times.is_negative())) return std::nullopt;
  const auto whole = times.integer();
  if (!whole && (number.is_zero() || number == 1 || number == -1)) return std::nullopt;
  const auto result = whole ? Number::power(number, *whole) : std::nullopt;
  if (result && !may_compute(context, result->length(), location)) return nullptr;
  return make_exact(context, result, base, exponent, ast::BinaryOperator::power, location);
}

}  // namespace

Node* make_binary(BodyContext& context, ast::BinaryOperator op, Node* a, Node* b, Location location) {
  if (a == nullptr || b == nullptr) return nullptr;
  if (op == ast::BinaryOperator::product) return make_product(context, a, b, location);
  if (op == ast::BinaryOperator::power) return make_power(context, a, b, location);
  if (const auto constant = fold_binary(context, op, a, b, location)) return *constant;
  return make_elementwise(context, opcodes[static_cast<std::size_t>(op)], a, b, ast::spelling(op), location);
}

Node* make_elementwise(BodyContext& context, Opcode opcode, Node* a, Node* b, std::string_view what,
                       Location location) {
  if (a == nullptr || b == nullptr) return nullptr;
  if (!require_accepted(context, opcode, a, what, location) ||
      !require_accepted(context, opcode, b, what, location))
    return nullptr;
  if (!require_same_element(context, a, b, what, location) || !align_shapes(context, a, b, what, location))
    return nullptr;
  return make_operation(context, opcode, {a, b}, {}, location);
}

Node* make_unary(BodyContext& context, Opcode opcode, Node* x, std::string_view what, Location location) {
  if (!require_accepted(context, opcode, x, what, location)) return nullptr;
  return make_operation(context, opcode, {x}, {}, location);
}

Node* make_power(BodyContext& context, Node* base, Node* exponent, Location location) {
  if (base == nullptr || exponent == nullptr) return nullptr;
  const bool known_exponent = is_free_number(exponent) && !resolved(context, exponent->type.element).known();
  const auto whole = known_exponent ? exponent->values[0].integer() : std::nullopt;
  if (const auto constant = fold_power(context, base, exponent, location)) return *constant;
  const Element element = resolved(context, base->type.element);
  if (whole && *whole < 0 && element.known() && dlvm::is_integer(element.type)) {
    auto& report =
        context.diagnostics.report(negative_power_of_integer, location, spelling(type_of(context, base)));
    report.fix(fmt::format("convert the base: {} as {}", quoted_operand(base->place()),
                           spelling(floating_element(context))));
    return nullptr;
  }
  if (!require_accepted(context, Opcode::power, base, "^", location)) return nullptr;
  if (known_exponent && exponent->values[0] == 2) {
    unify_elements(context, base->type.element, exponent->type.element);
    return make_operation(context, Opcode::square, {base}, {}, location);
  }
  return make_elementwise(context, Opcode::power, base, exponent, "^", location);
}

}  // namespace frontend::check
