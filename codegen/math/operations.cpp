#include "codegen/math/operations.h"

#include <llvm/IR/Module.h>

#include <array>
#include <limits>

#include "codegen/math/functions.h"
#include "dlvm/support/internal_error.h"

namespace codegen::math {
namespace {

using dlvm::ElementType;
using dlvm::Opcode;
using Operands = std::span<const SimdValue>;

SimdValue made(SimdValue like, llvm::Value* value) { return {like.builder, value}; }
llvm::IRBuilder<>& builder(SimdValue a) { return a.builder->b; }
SimdValue zero(SimdValue like) { return made(like, llvm::Constant::getNullValue(like.value->getType())); }
SimdValue one(SimdValue like) { return like.builder->integer_constant(like.value->getType(), 1); }
SimdValue all_ones(SimdValue like) {
  return made(like, llvm::Constant::getAllOnesValue(like.value->getType()));
}

SimdValue integer_less(SimdValue a, SimdValue b, bool is_signed) {
  return made(
      a, is_signed ? builder(a).CreateICmpSLT(a.value, b.value) : builder(a).CreateICmpULT(a.value, b.value));
}

// Integers: no instruction traps.

/// The quotient towards zero; by zero 0; the least by -1 wraps.
SimdValue integer_quotient(SimdValue x, SimdValue y, bool is_signed) {
  const SimdValue by_zero = y == zero(y);
  if (!is_signed) {
    const SimdValue divisor = select(by_zero, one(y), y);
    return select(by_zero, zero(x), made(x, builder(x).CreateUDiv(x.value, divisor.value)));
  }
  const SimdValue negation = y == all_ones(y);
  const SimdValue divisor = select(by_zero | negation, one(y), y);
  const SimdValue quotient = made(x, builder(x).CreateSDiv(x.value, divisor.value));
  return select(by_zero, zero(x), select(negation, -x, quotient));
}

SimdValue integer_floor_quotient(SimdValue x, SimdValue y, bool is_signed) {
  const SimdValue q = integer_quotient(x, y, is_signed);
  if (!is_signed) return q;
  const SimdValue rest = x - q * y;
  const SimdValue below = (!(rest == zero(rest))) & ((rest ^ y) < zero(y)) & (!(y == zero(y)));
  return select(below, q - one(q), q);
}

SimdValue integer_modulo(SimdValue x, SimdValue y, bool is_signed) {
  return select(y == zero(y), zero(x), x - y * integer_floor_quotient(x, y, is_signed));
}

/// By repeated squaring, wrapping. `y` is not negative.
llvm::Value* write_integer_power(SimdBuilder& l, llvm::Function& function) {
  llvm::IRBuilder<>& b = l.b;
  llvm::Type* type = function.getReturnType();
  auto* start = b.GetInsertBlock();
  auto* loop = llvm::BasicBlock::Create(b.getContext(), "step", &function);
  auto* done = llvm::BasicBlock::Create(b.getContext(), "done", &function);
  b.CreateBr(loop);
  b.SetInsertPoint(loop);
  llvm::PHINode *result = b.CreatePHI(type, 2), *x = b.CreatePHI(type, 2), *y = b.CreatePHI(type, 2);
  llvm::Value* odd = b.CreateTrunc(y, b.getInt1Ty());
  llvm::Value* next = b.CreateSelect(odd, b.CreateMul(result, x), result);
  llvm::Value* rest = b.CreateLShr(y, 1);
  result->addIncoming(llvm::ConstantInt::get(type, 1), start);
  x->addIncoming(function.getArg(0), start);
  y->addIncoming(function.getArg(1), start);
  result->addIncoming(next, loop);
  x->addIncoming(b.CreateMul(x, x), loop);
  y->addIncoming(rest, loop);
  b.CreateCondBr(b.CreateICmpEQ(rest, llvm::ConstantInt::get(type, 0)), done, loop);
  b.SetInsertPoint(done);
  return next;
}

/// In 64 bits, by lane: what overflows wraps to the same bits.
SimdValue integer_power(SimdValue x, SimdValue y, bool is_signed) {
  SimdBuilder& l = *x.builder;
  llvm::IRBuilder<>& b = l.b;
  llvm::Type* i64 = b.getInt64Ty();
  llvm::Function* scalar = scalar_function(l, "tel.integer_power", i64, {i64, i64}, write_integer_power);
  const auto widened = [&](SimdValue v) { return b.CreateIntCast(v.value, l.integer(64), is_signed); };
  const SimdValue negative = is_signed ? y < zero(y) : made(y, l.splat(b.getFalse()));
  llvm::Value *base = widened(x), *exponent = widened(select(negative, zero(y), y));
  llvm::Value* all = llvm::PoisonValue::get(l.integer(64));
  for (unsigned lane = 0; lane < l.width; ++lane) {
    const auto of = [&](llvm::Value* v) { return l.width == 1 ? v : b.CreateExtractElement(v, lane); };
    llvm::Value* result = b.CreateCall(scalar, {of(base), of(exponent)});
    all = l.width == 1 ? result : b.CreateInsertElement(all, result, lane);
  }
  const SimdValue value = made(x, b.CreateTrunc(all, x.value->getType()));
  if (!is_signed) return value;
  // x^-n is the reciprocal towards zero: 1 of 1, a sign of -1, else 0.
  const SimdValue even = (y & one(y)) == zero(y);
  const SimdValue of_minus_one = select(even, one(x), x);
  const SimdValue reciprocal = select(x == one(x), one(x), select(x == all_ones(x), of_minus_one, zero(x)));
  return select(negative, reciprocal, value);
}

SimdValue integer_sign(SimdValue x, bool is_signed) {
  const SimdValue positive = select(x == zero(x), zero(x), one(x));
  return is_signed ? select(x < zero(x), all_ones(x), positive) : positive;
}

/// An instruction for integers: the operands have one type, signed or not.
struct IntegerRow {
  Opcode opcode;
  SimdValue (*compute)(Operands, bool is_signed);
};

constexpr IntegerRow integer_rows[] = {
    {Opcode::add, [](Operands x, bool) { return x[0] + x[1]; }},
    {Opcode::subtract, [](Operands x, bool) { return x[0] - x[1]; }},
    {Opcode::multiply, [](Operands x, bool) { return x[0] * x[1]; }},
    {Opcode::square, [](Operands x, bool) { return x[0] * x[0]; }},
    {Opcode::negate, [](Operands x, bool) { return -x[0]; }},
    {Opcode::abs,
     [](Operands x, bool is_signed) { return is_signed ? select(x[0] < zero(x[0]), -x[0], x[0]) : x[0]; }},
    {Opcode::sign, [](Operands x, bool is_signed) { return integer_sign(x[0], is_signed); }},
    {Opcode::min,
     [](Operands x, bool is_signed) { return select(integer_less(x[0], x[1], is_signed), x[0], x[1]); }},
    {Opcode::max,
     [](Operands x, bool is_signed) { return select(integer_less(x[0], x[1], is_signed), x[1], x[0]); }},
    {Opcode::truncateDivide,
     [](Operands x, bool is_signed) { return integer_quotient(x[0], x[1], is_signed); }},
    {Opcode::floorDivide,
     [](Operands x, bool is_signed) { return integer_floor_quotient(x[0], x[1], is_signed); }},
    {Opcode::modulo, [](Operands x, bool is_signed) { return integer_modulo(x[0], x[1], is_signed); }},
    {Opcode::power, [](Operands x, bool is_signed) { return integer_power(x[0], x[1], is_signed); }},
    {Opcode::not_, [](Operands x, bool) { return !x[0]; }},
    {Opcode::and_, [](Operands x, bool) { return x[0] & x[1]; }},
    {Opcode::or_, [](Operands x, bool) { return x[0] | x[1]; }},
    {Opcode::lessThan, [](Operands x, bool is_signed) { return integer_less(x[0], x[1], is_signed); }},
    {Opcode::lessThanOrEqual,
     [](Operands x, bool is_signed) { return !integer_less(x[1], x[0], is_signed); }},
    {Opcode::greaterThan, [](Operands x, bool is_signed) { return integer_less(x[1], x[0], is_signed); }},
    {Opcode::greaterThanOrEqual,
     [](Operands x, bool is_signed) { return !integer_less(x[0], x[1], is_signed); }},
    {Opcode::equal, [](Operands x, bool) { return x[0] == x[1]; }},
    {Opcode::notEqual, [](Operands x, bool) { return !(x[0] == x[1]); }},
};

/// The position of each opcode's row, or -1 where it has none.
template <typename Table>
constexpr auto positions_of(const Table& table) {
  std::array<int, dlvm::opcode_count> positions{};
  positions.fill(-1);
  for (int i = 0; i < static_cast<int>(std::size(table)); ++i)
    positions[static_cast<std::size_t>(table[i].opcode)] = i;
  return positions;
}
constexpr auto integer_row_of = positions_of(integer_rows);

SimdValue integer_operation(Opcode opcode, bool is_signed, Operands x) {
  const int position = integer_row_of[static_cast<std::size_t>(opcode)];
  if (position < 0) dlvm::internal_error("an instruction has no code for integers");
  return integer_rows[position].compute(x, is_signed);
}

// Floating-point numbers.

SimdValue sign(SimdValue x) {
  const SimdValue positive = x.builder->constant(x.value->getType(), 1);
  return select(x > 0, positive, select(x < 0, -positive, x));
}
SimdValue absorbing_multiply(SimdValue x, SimdValue y) { return select((x == 0) | (y == 0), 0, x * y); }
SimdValue is_finite(SimdValue x) { return abs(x) < std::numeric_limits<double>::infinity(); }
SimdValue not_equal(SimdValue x, SimdValue y) { return made(x, builder(x).CreateFCmpUNE(x.value, y.value)); }

/// In float, the quotient is rounded in double: in float it may become the next whole number.
SimdValue whole_quotient(SimdValue x, SimdValue y, SimdValue (*rounded)(SimdValue)) {
  return x.is_double() ? rounded(x / y) : to_float(rounded(to_double(x) / to_double(y)));
}

using Unary = SimdValue (*)(SimdValue);
using Binary = SimdValue (*)(SimdValue, SimdValue);
struct Row {
  Opcode opcode;
  Unary unary = nullptr;
  Binary binary = nullptr;
};

/// The floating-point instructions, a row each.
constexpr Row rows[] = {
    {Opcode::sinh, sinh},
    {Opcode::cosh, cosh},
    {Opcode::tanh, tanh},
    {Opcode::asinh, asinh},
    {Opcode::acosh, acosh},
    {Opcode::atanh, atanh},
    {Opcode::log, log},
    {Opcode::log1p, log1p},
    {Opcode::exp, exp},
    {Opcode::expm1, expm1},
    {Opcode::negate, [](SimdValue x) { return -x; }},
    {Opcode::abs, abs},
    {Opcode::sign, sign},
    {Opcode::square, [](SimdValue x) { return x * x; }},
    {Opcode::sqrt, sqrt},
    {Opcode::rsqrt, [](SimdValue x) { return 1 / sqrt(x); }},
    {Opcode::round, round_away},
    {Opcode::rint, round_even},
    {Opcode::ceil, ceil},
    {Opcode::floor, floor},
    {Opcode::tan, tan},
    {Opcode::cos, cos},
    {Opcode::sin, sin},
    {Opcode::acos, acos},
    {Opcode::asin, asin},
    {Opcode::atan, atan},
    {Opcode::lgamma, lgamma},
    {Opcode::digamma, digamma},
    {Opcode::erf, erf},
    {Opcode::erfc, erfc},
    {Opcode::normalCdf, normal_cdf},
    {Opcode::geluTanhOdds, gelu_tanh_odds},
    {Opcode::isFinite, is_finite},
    {Opcode::isNaN, is_nan},
    {Opcode::add, nullptr, [](SimdValue x, SimdValue y) { return x + y; }},
    {Opcode::subtract, nullptr, [](SimdValue x, SimdValue y) { return x - y; }},
    {Opcode::multiply, nullptr, [](SimdValue x, SimdValue y) { return x * y; }},
    {Opcode::divide, nullptr, [](SimdValue x, SimdValue y) { return x / y; }},
    {Opcode::min, nullptr, minimum},
    {Opcode::max, nullptr, maximum},
    {Opcode::truncateDivide, nullptr,
     [](SimdValue x, SimdValue y) { return whole_quotient(x, y, truncate); }},
    {Opcode::floorDivide, nullptr, floor_divide},
    {Opcode::modulo, nullptr, modulo},
    {Opcode::power, nullptr, power},
    {Opcode::lessThan, nullptr, [](SimdValue x, SimdValue y) { return x < y; }},
    {Opcode::lessThanOrEqual, nullptr, [](SimdValue x, SimdValue y) { return x <= y; }},
    {Opcode::greaterThan, nullptr, [](SimdValue x, SimdValue y) { return x > y; }},
    {Opcode::greaterThanOrEqual, nullptr, [](SimdValue x, SimdValue y) { return x >= y; }},
    {Opcode::equal, nullptr, [](SimdValue x, SimdValue y) { return x == y; }},
    {Opcode::notEqual, nullptr, not_equal},
    {Opcode::atan2, nullptr, atan2},
    {Opcode::absorbingMultiply, nullptr, absorbing_multiply},
};

constexpr auto row_of = positions_of(rows);

SimdValue compute(const Row& row, Operands x) { return row.unary ? row.unary(x[0]) : row.binary(x[0], x[1]); }

/// Costly instructions are functions of their own, one for each type and width.
SimdValue call(const Row& row, Operands operands) {
  const std::string name =
      std::string(dlvm::definition(row.opcode).name) + (operands[0].is_double() ? ".f64" : ".f32");
  return call_function(name, operands, [&](Operands x) { return compute(row, x); });
}

/// Returns a result that was computed in float32 if the type is a 16-bit float, in that type.
SimdValue rounded(SimdValue value, ElementType type) {
  const bool is_narrow = type == ElementType::f16 || type == ElementType::bf16;
  return is_narrow ? convert(value, ElementType::f32, type) : value;
}

}  // namespace

SimdValue reinterpret(SimdValue value, ElementType from, ElementType to) {
  SimdBuilder& lanes = *value.builder;
  llvm::Value* bits = to_memory(value, from);
  llvm::Type* type = lanes.type(memory_type(lanes.b.getContext(), to));
  return from_memory(lanes, lanes.b.CreateBitCast(bits, type), to);
}

bool shares_divisor(ElementType type, const Features& features) {
  return type == ElementType::f64 && features.fma;
}

SimdValue operate(Opcode opcode, ElementType type, Operands x) {
  if (opcode == Opcode::detach) return x[0];
  if (opcode == Opcode::select) return select(x[2], x[0], x[1]);
  if (opcode == Opcode::power)
    if (const auto exponent = constant_exponent(x[1])) return rounded(power(x[0], *exponent), type);
  if (!dlvm::is_floating(type)) return integer_operation(opcode, dlvm::is_signed(type), x);
  const int position = row_of[static_cast<std::size_t>(opcode)];
  if (position < 0) dlvm::internal_error("an instruction has no code for floating-point numbers");
  const Row& row = rows[position];
  const auto& definition = dlvm::definition(opcode);
  const bool by_scalar = opcode == Opcode::divide && x[0].value->getType() != x[1].value->getType();
  const bool is_call = definition.is(dlvm::Trait::costly) || opcode == Opcode::modulo;
  const SimdValue value = by_scalar ? divide_by_scalar(x[0], x[1]) : is_call ? call(row, x) : compute(row, x);
  return definition.is(dlvm::Trait::comparison) ? value : rounded(value, type);
}

}  // namespace codegen::math
