#pragma once

#include <cstddef>
#include <cstdint>

namespace dlvm {

/// Names the instructions, in the order of the documentation. In text an instruction has the name of its
/// enumerator, without the underscore that keeps some from being words of C++. Everything else about it is
/// its row in instructions.def, which few files include: a change there does not compile the project anew.
// clang-format off
enum class Opcode : std::uint8_t {
  // Control
  branch, conditional, branchEnum, return_, trap,
  // Literals and aggregates
  literal, extract, insert, apply,
  // Unary, elementwise
  sinh, cosh, tanh, asinh, acosh, atanh, log, log1p, exp, expm1, negate, abs, sign, square, sqrt, rsqrt, round,
  rint, ceil, floor, tan, cos, sin, acos, asin, atan, lgamma, digamma, erf, erfc, normalCdf, geluTanhOdds,
  not_, detach, isFinite, isNaN,
  // Binary, elementwise, broadcasting
  add, subtract, multiply, divide, min, max, truncateDivide, floorDivide, modulo, power, and_, or_, lessThan,
  lessThanOrEqual, greaterThan, greaterThanOrEqual, equal, notEqual, atan2, absorbingMultiply,
  // Ternary, type
  select, dataTypeCast, bitCast,
  // Shape
  padShape, squeezeShape, shapeCast, transpose, reverse, slice, concatenate, pad, broadcast, gather, scatter,
  iota, extent, checkIndex,
  // Aggregation
  reduce, reduceWindow, scan, recurrence, argmax, argmin, argsort, sort, topk,
  // Linear algebra
  dot, convolve,
  // Random
  random,
  // Memory
  allocateStack, allocateHeap, allocateBox, projectBox, retain, release, deallocate, load, store, elementPointer,
  copy,
  // Properties
  rank, shape, unitCount,
  // Stacks
  createStack, destroyStack, push, peek, pop,
};
// clang-format on

inline constexpr std::size_t opcode_count = static_cast<std::size_t>(Opcode::pop) + 1;

}  // namespace dlvm
