// Element types: as held in registers, as in memory, and from one to another.
#include "codegen/math/operations.h"
#include "dlvm/ir/tensor.h"

namespace codegen::math {
namespace {

using dlvm::ElementType;

SimdValue number(SimdValue like, llvm::Value* value) { return {like.builder, value}; }
SimdValue constant(SimdValue like, std::uint64_t value) {
  return like.builder->integer_constant(like.value->getType(), value);
}
SimdValue resized(SimdValue a, unsigned bits) {  // zeros come in
  return number(a, a.builder->b.CreateZExtOrTrunc(a.value, a.builder->integer(bits)));
}
SimdValue at_least(SimdValue a, std::uint64_t limit) {  // unsigned
  return number(a, a.builder->b.CreateICmpUGE(a.value, constant(a, limit).value));
}

/// The bits of the nearest binary16, in the low half of i32.
SimdValue half_bits(SimdValue x) {
  SimdBuilder& l = *x.builder;
  const SimdValue bits = bits_of(x), sign = shift_right(bits & constant(bits, 0x80000000), 16);
  const SimdValue size = bits & constant(bits, 0x7fffffff);
  const SimdValue odd = shift_right(size, 13) & constant(bits, 1);
  const SimdValue normal = shift_right(size + constant(bits, 0xfff) + odd, 13) - constant(bits, 112 << 10);
  // Below 2^-14 the sum with 1/2 rounds at the right place.
  const SimdValue subnormal = bits_of(from_bits(size) + 0.5) - bits_of(l.constant(l.f32(), 0.5));
  const SimdValue finite = select(at_least(size, 0x38800000), normal, subnormal);
  const SimdValue bounded = select(at_least(size, 0x477ff000), constant(bits, 0x7c00), finite);
  return sign | select(is_nan(x), constant(bits, 0x7e00), bounded);
}

SimdValue from_half_bits(SimdValue bits) {  // in the low half of i32
  const SimdValue sign = (bits & constant(bits, 0x8000)) << 16;
  const SimdValue field = (bits & constant(bits, 0x7fff)) << 13;
  const SimdValue scaled = bits_of(from_bits(field) * 0x1p112);
  const SimdValue special = field | constant(bits, 0x7f800000);
  return from_bits(sign | select(at_least(field, 0x7c00 << 13), special, scaled));
}

SimdValue bfloat_bits(SimdValue x) {
  const SimdValue bits = bits_of(x);
  const SimdValue odd = shift_right(bits, 16) & constant(bits, 1);
  const SimdValue rounded = shift_right(bits + constant(bits, 0x7fff) + odd, 16);
  return select(is_nan(x), constant(bits, 0x7fc0), rounded);
}

SimdValue from_bfloat_bits(SimdValue bits) { return from_bits(bits << 16); }

/// A double as a float whose rounding to 16 bits is as if done at once: to odd where inexact (S. Boldo and
/// G. Melquiond, Emulation of FMA and correctly rounded sums: proved algorithms using rounding to odd, 2008).
SimdValue to_float_odd(SimdValue x) {
  const SimdValue nearest = to_float(x), back = to_double(nearest);
  const SimdValue bits = bits_of(nearest);
  const SimdValue down = select(abs(back) > abs(x), bits - constant(bits, 1), bits);
  const SimdValue inexact = (!(back == x)) & (!is_nan(x));
  return from_bits(select(inexact, down | constant(bits, 1), bits));
}

/// Rounds a float to a 16-bit type; it stays a float.
SimdValue rounded(SimdValue x, ElementType type) {
  return type == ElementType::f16 ? from_half_bits(half_bits(x)) : from_bfloat_bits(bfloat_bits(x));
}
bool is_short(ElementType type) { return type == ElementType::f16 || type == ElementType::bf16; }

SimdValue to_floating_type(SimdValue x, ElementType to) {  // x float or double
  if (to == ElementType::f64) return x.is_double() ? x : to_double(x);
  if (to == ElementType::f32) return x.is_double() ? to_float(x) : x;
  return rounded(x.is_double() ? to_float_odd(x) : x, to);
}

SimdValue from_integer(SimdValue x, ElementType from, ElementType to) {
  SimdBuilder& l = *x.builder;
  const bool is_signed = dlvm::is_signed(from);
  const auto as = [&](llvm::Type* type) {
    return number(x, is_signed ? l.b.CreateSIToFP(x.value, type) : l.b.CreateUIToFP(x.value, type));
  };
  if (to == ElementType::f64) return as(l.f64());
  if (to == ElementType::f32) return as(l.f32());
  return to_floating_type(as(l.f64()), to);
}

}  // namespace

llvm::Type* held_type(SimdBuilder& lanes, ElementType type) {
  if (is_short(type) || type == ElementType::f32) return lanes.f32();
  if (type == ElementType::f64) return lanes.f64();
  if (dlvm::is_boolean(type)) return lanes.integer(1);
  return lanes.integer(dlvm::info(type).bytes * 8);
}

llvm::Type* memory_type(llvm::LLVMContext& context, ElementType type) {
  if (type == ElementType::f32) return llvm::Type::getFloatTy(context);
  if (type == ElementType::f64) return llvm::Type::getDoubleTy(context);
  return llvm::Type::getIntNTy(context, dlvm::info(type).bytes * 8);
}

SimdValue from_memory(SimdBuilder& l, llvm::Value* value, ElementType type) {
  const SimdValue x = l.number(value);
  if (dlvm::is_boolean(type))
    return l.number(l.b.CreateICmpNE(value, llvm::Constant::getNullValue(value->getType())));
  if (type == ElementType::f16) return from_half_bits(resized(x, 32));
  if (type == ElementType::bf16) return from_bfloat_bits(resized(x, 32));
  return x;
}

llvm::Value* to_memory(SimdValue value, ElementType type) {
  if (dlvm::is_boolean(type)) return resized(value, 8).value;
  if (type == ElementType::f16) return resized(half_bits(value), 16).value;
  if (type == ElementType::bf16) return resized(bfloat_bits(value), 16).value;
  return value.value;
}

SimdValue literal(SimdBuilder& l, const dlvm::Tensor& scalar) {
  const ElementType type = scalar.element();
  if (dlvm::is_floating(type)) return l.constant(held_type(l, type), scalar.real(0));
  return l.integer_constant(held_type(l, type), static_cast<std::uint64_t>(scalar.integer(0)));
}

SimdValue convert(SimdValue x, ElementType from, ElementType to) {
  SimdBuilder& l = *x.builder;
  if (from == to) return x;
  if (dlvm::is_boolean(to)) {
    llvm::Value* zero = llvm::Constant::getNullValue(x.value->getType());
    if (!dlvm::is_floating(from)) return number(x, l.b.CreateICmpNE(x.value, zero));
    return number(x, l.b.CreateFCmpUNE(x.value, zero));
  }
  if (dlvm::is_floating(from)) {
    if (dlvm::is_floating(to)) return to_floating_type(x, to);
    const auto id = dlvm::is_signed(to) ? llvm::Intrinsic::fptosi_sat : llvm::Intrinsic::fptoui_sat;
    llvm::Type* result = held_type(l, to);
    return number(x, l.b.CreateIntrinsic(id, {result, x.value->getType()}, {x.value}));
  }
  if (dlvm::is_floating(to)) return from_integer(x, from, to);
  return number(x, l.b.CreateIntCast(x.value, held_type(l, to), dlvm::is_signed(from)));
}

}  // namespace codegen::math
