#include <array>
#include <numbers>

#include "dlvm/differentiate/partials.h"
#include "dlvm/differentiate/rules.h"
#include "dlvm/differentiate/transposes.h"

namespace dlvm {
namespace {

namespace t = transposes;

// A partial as a formula over the operands x, y and the result r.
#define BY(formula)                                               \
  [](const Primal& primal) -> Partial {                           \
    [[maybe_unused]] const auto& [x, y, r, instruction] = primal; \
    return formula;                                               \
  }

#define UNARY(opcode, formula) \
  {                            \
    Opcode::opcode, Partials { \
      {                        \
        BY(formula), nullptr   \
      }                        \
    }                          \
  }
#define BINARY(opcode, by_left, by_right) \
  {                                       \
    Opcode::opcode, Partials {            \
      {                                   \
        BY(by_left), BY(by_right)         \
      }                                   \
    }                                     \
  }
#define LINEAR(opcode, transpose)           \
  {                                         \
    Opcode::opcode, Linear { t::transpose } \
  }
#define PIECEWISE_CONSTANT(opcode)       \
  {                                      \
    Opcode::opcode, PiecewiseConstant {} \
  }

constexpr double two_over_sqrt_pi = 2 * std::numbers::inv_sqrtpi,
                 one_over_sqrt_2_pi = std::numbers::inv_sqrtpi / std::numbers::sqrt2;

constexpr std::array<DerivativeRow, opcode_count> rows{{
    {Opcode::branch, Structural{}},
    {Opcode::conditional, Structural{}},
    {Opcode::branchEnum, None{}},
    {Opcode::return_, Structural{}},
    {Opcode::trap, Structural{}},

    {Opcode::literal, Structural{}},
    {Opcode::extract, Structural{}},
    {Opcode::insert, Structural{}},
    {Opcode::apply, Structural{}},

    UNARY(sinh, cosh(x)),
    UNARY(cosh, sinh(x)),
    UNARY(tanh, 1.0 - square(r)),
    UNARY(asinh, rsqrt(1.0 + square(x))),
    UNARY(acosh, rsqrt(x - 1.0) * rsqrt(x + 1.0)),
    UNARY(atanh, 1.0 / ((1.0 - x) * (1.0 + x))),
    UNARY(log, 1.0 / x),
    UNARY(log1p, 1.0 / (1.0 + x)),
    UNARY(exp, r),
    UNARY(expm1, exp(x)),
    UNARY(negate, -1.0),
    UNARY(abs, sign(x)),
    PIECEWISE_CONSTANT(sign),
    UNARY(square, 2.0 * x),
    UNARY(sqrt, 0.5 / r),
    UNARY(rsqrt, -0.5 * (r * square(r))),
    PIECEWISE_CONSTANT(round),
    PIECEWISE_CONSTANT(rint),
    PIECEWISE_CONSTANT(ceil),
    PIECEWISE_CONSTANT(floor),
    UNARY(tan, 1.0 + square(r)),
    UNARY(cos, -sin(x)),
    UNARY(sin, cos(x)),
    UNARY(acos, -rsqrt((1.0 - x) * (1.0 + x))),
    UNARY(asin, rsqrt((1.0 - x) * (1.0 + x))),
    UNARY(atan, 1.0 / (1.0 + square(x))),
    UNARY(lgamma, digamma(x)),
    UNARY(digamma, partials::trigamma(primal)),
    UNARY(erf, two_over_sqrt_pi* exp(-square(x))),
    UNARY(erfc, -two_over_sqrt_pi* exp(-square(x))),
    UNARY(normalCdf, one_over_sqrt_2_pi* exp(-0.5 * square(x))),
    UNARY(geluTanhOdds, absorbing_multiply(r, 1.5957691216057308 + 0.21406444881780073 * square(x))),
    PIECEWISE_CONSTANT(not_),
    {Opcode::detach, Detached{}},
    PIECEWISE_CONSTANT(isFinite),
    PIECEWISE_CONSTANT(isNaN),

    BINARY(add, 1.0, 1.0),
    BINARY(subtract, 1.0, -1.0),
    BINARY(multiply, y, x),
    BINARY(divide, 1.0 / y, -(r * (1.0 / y))),
    BINARY(min, partials::larger_right(primal), partials::larger_left(primal)),
    BINARY(max, partials::larger_left(primal), partials::larger_right(primal)),
    PIECEWISE_CONSTANT(truncateDivide),
    PIECEWISE_CONSTANT(floorDivide),
    BINARY(modulo, 1.0, -floor_divide(x, y)),
    BINARY(power, partials::power_by_base(primal), partials::power_by_exponent(primal)),
    PIECEWISE_CONSTANT(and_),
    PIECEWISE_CONSTANT(or_),
    PIECEWISE_CONSTANT(lessThan),
    PIECEWISE_CONSTANT(lessThanOrEqual),
    PIECEWISE_CONSTANT(greaterThan),
    PIECEWISE_CONSTANT(greaterThanOrEqual),
    PIECEWISE_CONSTANT(equal),
    PIECEWISE_CONSTANT(notEqual),
    BINARY(atan2, y / (square(x) + square(y)), -(x / (square(x) + square(y)))),
    BINARY(absorbingMultiply, y, x),

    LINEAR(select, select),
    LINEAR(dataTypeCast, cast),
    {Opcode::bitCast, None{}},

    LINEAR(padShape, reshape),
    LINEAR(squeezeShape, reshape),
    LINEAR(shapeCast, reshape),
    LINEAR(transpose, transpose),
    LINEAR(reverse, reverse),
    LINEAR(slice, slice),
    LINEAR(concatenate, concatenate),
    LINEAR(pad, pad),
    LINEAR(broadcast, broadcast),
    LINEAR(gather, gather),
    {Opcode::scatter, CustomRule{t::scatter, t::scatter_unknown}},
    PIECEWISE_CONSTANT(iota),
    PIECEWISE_CONSTANT(extent),
    PIECEWISE_CONSTANT(checkIndex),

    {Opcode::reduce, CustomRule{t::reduce, t::combinator_unknown}},
    {Opcode::reduceWindow, CustomRule{t::reduce_window, t::combinator_unknown}},
    {Opcode::scan, CustomRule{t::scan, t::combinator_unknown}},
    {Opcode::recurrence, CustomRule{t::recurrence}},
    PIECEWISE_CONSTANT(argmax),
    PIECEWISE_CONSTANT(argmin),
    PIECEWISE_CONSTANT(argsort),
    {Opcode::sort, CustomRule{t::sort}},
    {Opcode::topk, CustomRule{t::topk}},

    {Opcode::dot, Linear{t::dot, true}},
    {Opcode::convolve, Linear{t::convolve, true}},

    BINARY(random, partials::random_by_low(primal), partials::random_by_high(primal)),

    {Opcode::allocateStack, None{}},
    {Opcode::allocateHeap, None{}},
    {Opcode::allocateBox, None{}},
    {Opcode::projectBox, None{}},
    {Opcode::retain, None{}},
    {Opcode::release, None{}},
    {Opcode::deallocate, None{}},
    {Opcode::load, None{}},
    {Opcode::store, None{}},
    {Opcode::elementPointer, None{}},
    {Opcode::copy, None{}},

    PIECEWISE_CONSTANT(rank),
    PIECEWISE_CONSTANT(shape),
    PIECEWISE_CONSTANT(unitCount),

    {Opcode::createStack, Structural{}},
    {Opcode::destroyStack, Structural{}},
    {Opcode::push, Structural{}},
    {Opcode::peek, Structural{}},
    {Opcode::pop, Structural{}},
}};
#undef BY
#undef UNARY
#undef BINARY
#undef LINEAR
#undef STEP

constexpr bool in_order() {
  for (std::size_t i = 0; i < opcode_count; ++i)
    if (static_cast<std::size_t>(rows[i].opcode) != i) return false;
  return true;
}
static_assert(in_order(), "a row for each instruction, in the order of opcode.h");

}  // namespace

const DerivativeRow& derivative_row(Opcode opcode) { return rows[static_cast<std::size_t>(opcode)]; }

}  // namespace dlvm
