#pragma once

#include <array>
#include <functional>

#include "dlvm/differentiate/testing.h"

/// Deliberately wrong rows of the derivative table, and a function of one f64 matrix that needs each:
/// whatever checks gradients must find every one of them.
namespace wrong_rules {

using namespace dlvm;

struct WrongRule {
  const char* mistake;
  DerivativeRow row;
  Value* (*body)(Builder&, Value* x);  ///< x: a matrix of (0.2, 0.9); any result
};

inline Expression at(Builder& b, Value* v) { return {&b, v}; }

inline const std::array<WrongRule, 10> all{{
    {"tanh: the square forgotten",
     {Opcode::tanh, Partials{{[](const Primal& p) -> Partial { return 1.0 - p.result; }, nullptr}}},
     [](Builder& b, Value* x) { return b.unary(Opcode::tanh, x); }},
    {"exp: of the operand",
     {Opcode::exp, Partials{{[](const Primal& p) -> Partial { return p.x; }, nullptr}}},
     [](Builder& b, Value* x) { return b.unary(Opcode::exp, x); }},
    {"cos: the sign",
     {Opcode::cos, Partials{{[](const Primal& p) -> Partial { return sin(p.x); }, nullptr}}},
     [](Builder& b, Value* x) { return b.unary(Opcode::cos, x); }},
    {"log: a hundredth off",
     {Opcode::log, Partials{{[](const Primal& p) -> Partial { return 1.01 / p.x; }, nullptr}}},
     [](Builder& b, Value* x) { return b.unary(Opcode::log, x); }},
    {"sqrt: taken to be piecewise constant beside a smooth path",
     {Opcode::sqrt, PiecewiseConstant{}},
     [](Builder& b, Value* x) { return b.add(x, b.unary(Opcode::sqrt, x)); }},
    {"divide: the denominator not squared",
     {Opcode::divide, Partials{{[](const Primal& p) -> Partial { return 1.0 / p.y; },
                                [](const Primal& p) -> Partial { return -p.result; }}}},
     [](Builder& b, Value* x) { return b.divide(b.constant(ElementType::f64, 1), x); }},
    {"max: to the smaller",
     {Opcode::max,
      Partials{{[](const Primal& p) -> Partial { return select(p.x < p.y, p.x.constant(1), 0.0); },
                [](const Primal& p) -> Partial { return select(p.y < p.x, p.x.constant(1), 0.0); }}}},
     [](Builder& b, Value* x) { return b.binary(Opcode::max, x, b.constant(ElementType::f64, 0.1)); }},
    {"reverse: not reversed",
     {Opcode::reverse, Linear{[](Builder&, Instruction&, std::size_t, Value* c) { return c; }}},
     [](Builder& b, Value* x) { return b.multiply(x, b.reverse(x, {1})); }},
    {"dot: the right operand forgotten",
     {Opcode::dot, Linear{[](Builder& b, Instruction& primal, std::size_t operand, Value* c) -> Value* {
        if (operand == 1) return nullptr;
        return std::get<Linear>(derivative_row(Opcode::dot).rule).transpose(b, primal, operand, c);
      }}},
     [](Builder& b, Value* x) { return b.dot(x, x, {{1, 1}}); }},
    {"reduce: twice the cotangent",
     {Opcode::reduce,
      CustomRule{[](Builder& b, Instruction& primal, std::size_t operand, Value* c) -> Value* {
        Value* right =
            std::get<CustomRule>(derivative_row(Opcode::reduce).rule).reverse(b, primal, operand, c);
        return b.multiply(right, b.constant(right->type().element(), 2));
      }}},
     [](Builder& b, Value* x) { return b.sum(b.multiply(x, x), {1}); }},
}};

}  // namespace wrong_rules
