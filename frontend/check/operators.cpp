// Elementwise operators, and what they are on numbers without a type.
#include <fmt/format.h>

#include "frontend/check/body.h"
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

bool is_free_number(const Node* x) { return x != nullptr && x->is_constant() && x->type.is_scalar(); }

}  // namespace

/// Numbers without a type are computed exactly. Nothing where the operands are none, or the result would be
/// too long (then it is computed like any other value).
std::optional<Node*> BodyChecker::folded(ast::BinaryOperator op, Node* a, Node* b, Location location) {
  if (!is_free_number(a) || !is_free_number(b)) return std::nullopt;
  if (resolved(a->type.element).known() || resolved(b->type.element).known()) return std::nullopt;
  if (op >= ast::BinaryOperator::equal && op <= ast::BinaryOperator::greater_equal)
    return constant(Number(holds(op, a->values[0] <=> b->values[0])), ElementType::boolean, location);
  const auto result = arithmetic(op, a->values[0], b->values[0]);
  if (!result) return std::nullopt;
  unify(a->type.element, b->type.element);
  return constant(*result, a->type.element, location);
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
  if (whole && is_free_number(base) && !resolved(base->type.element).known()) {
    if (const auto result = Number::power(base->values[0], *whole)) {
      unify(base->type.element, exponent->type.element);
      return constant(*result, base->type.element, location);
    }
  }
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
