// Elementwise operators, and what they are on numbers without a type.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "frontend/check/body.h"
#include "frontend/check/builtins.h"
#include "frontend/check/checker.h"
#include "frontend/check/spelling.h"
#include "frontend/check/type_diagnostics.h"

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
  switch (op) {
    case ast::BinaryOperator::equal:
      return order == 0;
    case ast::BinaryOperator::not_equal:
      return order != 0;
    case ast::BinaryOperator::less:
      return order < 0;
    case ast::BinaryOperator::less_equal:
      return order <= 0;
    case ast::BinaryOperator::greater:
      return order > 0;
    default:
      return order >= 0;
  }
}

std::optional<Number> arithmetic(ast::BinaryOperator op, const Number& a, const Number& b) {
  switch (op) {
    case ast::BinaryOperator::add:
      return a + b;
    case ast::BinaryOperator::subtract:
      return a - b;
    case ast::BinaryOperator::multiply:
      return a * b;
    case ast::BinaryOperator::divide:
      return a / b;
    case ast::BinaryOperator::modulo: {
      const auto quotient = a / b;
      if (!quotient) return std::nullopt;
      const auto whole = b * quotient->floor();
      if (!whole) return std::nullopt;
      return a - *whole;
    }
    default:
      return std::nullopt;
  }
}

/// Whether the result, or what it is computed from, is larger than every element type holds.
bool beyond_floats(ast::BinaryOperator op, const Number& a, const Number& b) {
  const auto left = a.nearest(ElementType::f64), right = b.nearest(ElementType::f64);
  if (!left || !right) return true;
  switch (op) {
    case ast::BinaryOperator::power:
      return !std::isfinite(std::pow(*left, *right));
    case ast::BinaryOperator::divide:
      return !std::isfinite(*left / *right);
    case ast::BinaryOperator::multiply:
      return !std::isfinite(*left * *right);
    default:
      return !std::isfinite(*left + *right);
  }
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

bool BodyChecker::may_compute(std::size_t length, Location location) {
  if (checker_.may_compute(length)) return true;
  diagnostics_.report(numbers_take_long, location);
  return false;
}

Node* BodyChecker::exact(const std::optional<Number>& result, Node* a, Node* b, ast::BinaryOperator op,
                         Location location) {
  if (!result) {
    auto& report = diagnostics_.report(number_too_long, location, ast::spelling(op), Number::bit_limit);
    if (beyond_floats(op, a->values[0], b->values[0]))
      report.fix(
          "no element type holds a number so large: write the expression so that each part is below 1.8e308");
    else
      report.fix(fmt::format("compute it in a type: (({} as float64) {} {}) as {}",
                             quoted_operand(a->place()), ast::spelling(op), quoted_operand(b->place()),
                             spelling(scope_->element())));
    return nullptr;
  }
  unify(a->type.element, b->type.element);
  return constant(*result, a->type.element, location);
}

/// Numbers without a type are computed exactly. Nothing where the operands are none, or where there is no
/// number (a division by 0): then it is computed like any other value.
std::optional<Node*> BodyChecker::folded(ast::BinaryOperator op, Node* a, Node* b, Location location) {
  if (!is_free_number(a) || !is_free_number(b)) return std::nullopt;
  if (resolved(a->type.element).known() || resolved(b->type.element).known()) return std::nullopt;
  const Number &left = a->values[0], &right = b->values[0];
  const bool divides = op == ast::BinaryOperator::divide || op == ast::BinaryOperator::modulo;
  if (op < ast::BinaryOperator::equal || (divides && right.is_zero())) return std::nullopt;
  if (!may_compute(left.length() + right.length(), location)) return nullptr;
  if (op <= ast::BinaryOperator::greater_equal)
    return constant(Number(holds(op, left <=> right)), ElementType::boolean, location);
  return exact(arithmetic(op, left, right), a, b, op, location);
}

/// The same for a power with an integer exponent.
std::optional<Node*> BodyChecker::folded_power(Node* base, Node* exponent, Location location) {
  if (!is_free_number(base) || !is_free_number(exponent)) return std::nullopt;
  if (resolved(base->type.element).known() || resolved(exponent->type.element).known()) return std::nullopt;
  const Number &number = base->values[0], &times = exponent->values[0];
  if (!times.is_integer() || (number.is_zero() && times.is_negative())) return std::nullopt;
  const auto whole = times.integer();
  if (!whole && (number.is_zero() || number == 1 || number == -1)) return std::nullopt;
  const auto result = whole ? Number::power(number, *whole) : std::nullopt;
  if (result && !may_compute(result->length(), location)) return nullptr;
  return exact(result, base, exponent, ast::BinaryOperator::power, location);
}

Node* BodyChecker::binary(ast::BinaryOperator op, Node* a, Node* b, Location location) {
  if (a == nullptr || b == nullptr) return nullptr;
  if (op == ast::BinaryOperator::product) return product(a, b, location);
  if (op == ast::BinaryOperator::power) return power(a, b, location);
  if (const auto constant = folded(op, a, b, location)) return *constant;
  return elementwise(opcodes[static_cast<std::size_t>(op)], a, b, ast::spelling(op), location);
}

Node* BodyChecker::elementwise(Opcode opcode, Node* a, Node* b, std::string_view what, Location location) {
  if (a == nullptr || b == nullptr) return nullptr;
  if (!accepted(opcode, a, what, location) || !accepted(opcode, b, what, location)) return nullptr;
  if (!same_element(a, b, what, location) || !align(a, b, what, location)) return nullptr;
  return operation(opcode, {a, b}, {}, location);
}

Node* BodyChecker::unary(Opcode opcode, Node* x, std::string_view what, Location location) {
  if (!accepted(opcode, x, what, location)) return nullptr;
  return operation(opcode, {x}, {}, location);
}

Node* BodyChecker::power(Node* base, Node* exponent, Location location) {
  if (base == nullptr || exponent == nullptr) return nullptr;
  const bool known_exponent = is_free_number(exponent) && !resolved(exponent->type.element).known();
  const auto whole = known_exponent ? exponent->values[0].integer() : std::nullopt;
  if (const auto constant = folded_power(base, exponent, location)) return *constant;
  const Element element = resolved(base->type.element);
  if (whole && *whole < 0 && element.known() && dlvm::is_integer(element.type)) {
    auto& report = diagnostics_.report(negative_power_of_integer, location, spelling(type_of(base)));
    report.fix(fmt::format("convert the base: {} as float32", quoted_operand(base->place())));
    return nullptr;
  }
  if (!accepted(Opcode::power, base, "^", location)) return nullptr;
  if (whole == 2) {
    unify(base->type.element, exponent->type.element);
    return operation(Opcode::square, {base}, {}, location);
  }
  return elementwise(Opcode::power, base, exponent, "^", location);
}

}  // namespace frontend::check
