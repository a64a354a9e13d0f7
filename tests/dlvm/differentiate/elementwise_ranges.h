#pragma once

#include "dlvm/ir/opcode.h"

/// For each elementwise instruction with partials, a range of operands in which it is smooth nearly
/// everywhere and differences are accurate. An instruction may have several.
namespace derivatives {

struct OperandRange {
  dlvm::Opcode opcode;
  double low, high;
};

inline constexpr OperandRange unary_ranges[]{
    {dlvm::Opcode::sinh, -2, 2},
    {dlvm::Opcode::cosh, -2, 2},
    {dlvm::Opcode::tanh, -2, 2},
    {dlvm::Opcode::asinh, -2, 2},
    {dlvm::Opcode::acosh, 1.2, 3},
    {dlvm::Opcode::atanh, -.8, .8},
    {dlvm::Opcode::log, 0.3, 3},
    {dlvm::Opcode::log1p, -.7, 3},
    {dlvm::Opcode::exp, -2, 2},
    {dlvm::Opcode::expm1, -2, 2},
    {dlvm::Opcode::negate, -2, 2},
    {dlvm::Opcode::abs, -2, 2},
    {dlvm::Opcode::square, -2, 2},
    {dlvm::Opcode::sqrt, 0.3, 3},
    {dlvm::Opcode::rsqrt, 0.3, 3},
    {dlvm::Opcode::tan, -1, 1},
    {dlvm::Opcode::cos, -3, 3},
    {dlvm::Opcode::sin, -3, 3},
    {dlvm::Opcode::acos, -.8, .8},
    {dlvm::Opcode::asin, -.8, .8},
    {dlvm::Opcode::atan, -3, 3},
    {dlvm::Opcode::lgamma, 0.3, 9},
    {dlvm::Opcode::digamma, .3, 9},
    {dlvm::Opcode::erf, -2, 2},
    {dlvm::Opcode::erfc, -2, 2},
    {dlvm::Opcode::normalCdf, -3, 3},
    {dlvm::Opcode::lgamma, -2.8, -2.2},
    {dlvm::Opcode::digamma, -2.8, -2.2},
    {dlvm::Opcode::geluTanhOdds, -3, 1.2},
};

inline constexpr OperandRange binary_ranges[]{
    {dlvm::Opcode::add, -2, 2},      {dlvm::Opcode::subtract, -2, 2},
    {dlvm::Opcode::multiply, -2, 2}, {dlvm::Opcode::divide, 0.5, 2},
    {dlvm::Opcode::min, -2, 2},      {dlvm::Opcode::max, -2, 2},
    {dlvm::Opcode::power, 0.5, 2},   {dlvm::Opcode::atan2, 0.5, 2},
    {dlvm::Opcode::modulo, 1, 9},    {dlvm::Opcode::absorbingMultiply, -2, 2},
};

}  // namespace derivatives
