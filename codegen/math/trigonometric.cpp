// Trigonometric functions and their inverses. Reduction by pi/2: Cody and Waite up to 2^20, beyond by M.
// Payne and R. Hanek (Radian reduction for trigonometric functions, 1983). Polynomials interpolated at
// Chebyshev nodes in 60 digits.
#include <llvm/IR/Module.h>

#include <limits>
#include <numbers>
#include <vector>

#include "codegen/math/functions.h"

namespace codegen::math {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double pi = std::numbers::pi, pi_low = 1.2246467991473532e-16;

/// A zero word, then the binary digits of 2/pi.
constexpr std::uint64_t two_over_pi[] = {
    0x0000000000000000u, 0xa2f9836e4e441529u, 0xfc2757d1f534ddc0u, 0xdb6295993c439041u, 0xfe5163abdebbc561u,
    0xb7246e3a424dd2e0u, 0x06492eea09d1921cu, 0xfe1deb1cb129a73eu, 0xe88235f52ebb4484u, 0xe99c7026b45f7e41u,
    0x3991d639835339f4u, 0x9c845f8bbdf9283bu, 0x1ff897ffde05980fu, 0xef2f118b5a0a6d1fu, 0x6d367ecf27cb09b7u,
    0x4f463f669e5fea2du, 0x7527bac7ebe5f17bu, 0x3d0739f78a5292eau, 0x6bfb5fb11f8d5d08u, 0x56033046fc7b6babu,
    0xf0cfbc209af4361du};

/// x = (4 j + quadrant) pi/2 + high + low, |high| <= pi/4, all double; quadrant as i64 (its two low bits).
struct Reduced {
  SimdValue high, low, quadrant;
};

/// The struct {high, low, quadrant} of a finite |x| >= 1: of the product of x's 53-bit mantissa with 192 bits
/// of 2/pi the bits above the quadrant are multiples of 2 pi, and 128 of those below are enough.
llvm::Value* write_large(SimdBuilder& l, llvm::Function& function) {
  llvm::IRBuilder<>& b = l.b;
  llvm::Value* x = function.getArg(0);
  llvm::Type *i64 = b.getInt64Ty(), *i128 = b.getInt128Ty();
  auto* words = llvm::ConstantDataArray::get(b.getContext(), llvm::ArrayRef(two_over_pi));
  auto* table = new llvm::GlobalVariable(*function.getParent(), words->getType(), true,
                                         llvm::GlobalValue::InternalLinkage, words, "tel.two_over_pi");
  llvm::Value* bits = b.CreateBitCast(x, i64);
  llvm::Value* field = b.CreateAnd(b.CreateLShr(bits, 52), 0x7ff);
  llvm::Value* mantissa = b.CreateOr(b.CreateAnd(bits, 0xfffffffffffff), 0x10000000000000);
  // |x| = mantissa * 2^(field - 1075): the window begins at the digit that gives weight 2.
  llvm::Value* start = b.CreateSub(field, b.getInt64(1075 - 62));
  llvm::Value *word = b.CreateLShr(start, 6), *shift = b.CreateAnd(start, 63);
  const auto load = [&](int i) -> llvm::Value* {
    return b.CreateLoad(i64, b.CreateGEP(i64, table, b.CreateAdd(word, b.getInt64(i))));
  };
  llvm::Value* w[4] = {load(0), load(1), load(2), load(3)};
  llvm::Value* window[3];
  for (int i = 0; i < 3; ++i)
    window[i] = b.CreateIntrinsic(llvm::Intrinsic::fshl, {i64}, {w[i], w[i + 1], shift});
  const auto wide = [&](llvm::Value* v) { return b.CreateZExt(v, i128); };
  // The low 192 bits of mantissa * window, in two parts: 128 above 64, of which the last are enough.
  llvm::Value* low = b.CreateLShr(b.CreateMul(wide(mantissa), wide(window[2])), 64);
  llvm::Value* middle = b.CreateAdd(b.CreateMul(wide(mantissa), wide(window[1])), low);
  llvm::Value* top = b.CreateShl(wide(b.CreateMul(mantissa, window[0])), 64);
  llvm::Value* product = b.CreateAdd(middle, top);  // two digits of quadrant, 126 of fraction
  llvm::Value* half = b.CreateShl(llvm::ConstantInt::get(i128, 1), 125);
  llvm::Value* quadrant = b.CreateTrunc(b.CreateLShr(b.CreateAdd(product, half), 126), i64);
  llvm::Value* fraction = b.CreateShl(product, 2);  // signed, in units of 2^-128 of a quarter turn
  llvm::Value* negative = b.CreateICmpSLT(fraction, llvm::ConstantInt::get(i128, 0));
  llvm::Value* size = b.CreateSelect(negative, b.CreateNeg(fraction), fraction);
  llvm::Value* zeros = b.CreateIntrinsic(llvm::Intrinsic::ctlz, {i128}, {size, b.getFalse()});
  llvm::Value* normal = b.CreateShl(size, zeros);
  llvm::Value* leading = b.CreateTrunc(b.CreateLShr(normal, 64), i64);
  llvm::Value* kept = b.CreateAnd(leading, ~std::uint64_t{0x7ff});
  llvm::Value* rest = b.CreateTrunc(b.CreateLShr(b.CreateShl(normal, 53), 64), i64);
  const auto real = [&](llvm::Value* v) { return l.number(b.CreateUIToFP(v, b.getDoubleTy())); };
  const SimdValue scale =
      power_of_two(real(b.CreateTrunc(b.CreateSub(llvm::ConstantInt::get(i128, 127), zeros), i64)) - 191.0);
  const SimdValue high = real(kept) * scale, tail = real(rest) * (scale * 0x1p-53);
  const SimdValue angle = high * (pi / 2);
  const SimdValue angle_low =
      product_error(high, l.constant(l.f64(), pi / 2), angle) + high * (pi_low / 2) + tail * (pi / 2);
  // For a negative x both parts and the quadrant change sign; so they do for a negative fraction.
  const SimdValue minus = l.number(b.CreateXor(negative, b.CreateICmpSLT(bits, b.getInt64(0))));
  const SimdValue backwards = l.number(b.CreateICmpSLT(bits, b.getInt64(0)));
  llvm::Value* result = llvm::PoisonValue::get(function.getReturnType());
  result = b.CreateInsertValue(result, select(minus, -angle, angle).value, 0);
  result = b.CreateInsertValue(result, select(minus, -angle_low, angle_low).value, 1);
  const SimdValue turned = l.number(quadrant);
  return b.CreateInsertValue(result, select(backwards, -turned, turned).value, 2);
}

Reduced reduce_small(SimdValue x) {
  constexpr double p1 = 0x1.921fb544p0, p2 = 0x1.0b4611a6p-34, p3 = 0x1.3198a2e037073p-69;  // pi/2
  const SimdValue k = round_even(x * (2 / pi));
  const SimdValue a = x - k * p1, b = k * p2, y = a - b;  // the products and a are exact
  const SimdValue rest = ((a - y) - b) - k * p3;
  const SimdValue high = y + rest;
  const SimdValue magic = k + 0x1.8p52;
  return {high, (y - high) + rest, bits_of(magic)};
}

/// On each lane beyond 2^20, the long way.
Reduced reduce(SimdValue x) {
  SimdBuilder& l = *x.builder;
  llvm::IRBuilder<>& b = l.b;
  const Reduced near = reduce_small(x);
  const SimdValue far = (abs(x) > 0x1p20) & (abs(x) < infinity);
  llvm::Type* members[] = {b.getDoubleTy(), b.getDoubleTy(), b.getInt64Ty()};
  auto* scalar_result = llvm::StructType::get(b.getContext(), llvm::ArrayRef<llvm::Type*>(members));
  llvm::Function* large =
      scalar_function(l, "tel.reduce_large", scalar_result, {b.getDoubleTy()}, write_large);
  llvm::Function* here = b.GetInsertBlock()->getParent();
  auto* slow = llvm::BasicBlock::Create(b.getContext(), "far", here);
  auto* done = llvm::BasicBlock::Create(b.getContext(), "near", here);
  llvm::BasicBlock* before = b.GetInsertBlock();
  b.CreateCondBr(l.any(far), slow, done);
  b.SetInsertPoint(slow);
  llvm::Value* parts[3] = {near.high.value, near.low.value, near.quadrant.value};
  const SimdValue safe = select(far, x, 0x1p21);
  for (unsigned lane = 0; lane < l.width; ++lane) {
    llvm::Value* one = l.width == 1 ? safe.value : b.CreateExtractElement(safe.value, lane);
    llvm::Value* result = b.CreateCall(large, {one});
    llvm::Value* is_far = l.width == 1 ? far.value : b.CreateExtractElement(far.value, lane);
    for (unsigned i = 0; i < 3; ++i) {
      llvm::Value* value = b.CreateExtractValue(result, i);
      llvm::Value* old = l.width == 1 ? parts[i] : b.CreateExtractElement(parts[i], lane);
      value = b.CreateSelect(is_far, value, old);
      parts[i] = l.width == 1 ? value : b.CreateInsertElement(parts[i], value, lane);
    }
  }
  llvm::BasicBlock* after = b.GetInsertBlock();
  b.CreateBr(done);
  b.SetInsertPoint(done);
  const auto join = [&](SimdValue from, llvm::Value* other) {
    llvm::PHINode* phi = b.CreatePHI(from.value->getType(), 2);
    phi->addIncoming(from.value, before);
    phi->addIncoming(other, after);
    return l.number(phi);
  };
  const SimdValue high = join(near.high, parts[0]), low = join(near.low, parts[1]),
                  quadrant = join(near.quadrant, parts[2]);
  return {high, low, quadrant};
}

SimdValue sine_small(SimdValue r, SimdValue low) {
  const SimdValue z = r * r;
  if (!r.is_double())
    return fma(r * z, polynomial(z, {-0.1666666666, 0.008333331833, -0.0001984006304, 2.724686872e-6}), r);
  const SimdValue p = polynomial(
      z, {-0.166666666666666667, 0.00833333333333333138, -0.000198412698412648216, 2.75573192191507816e-6,
          -2.50521061673357064e-8, 1.60585213499549863e-10, -7.58609478967262007e-13});
  return r + fma(r * z, p, low);
}

SimdValue cosine_small(SimdValue r, SimdValue low) {
  const SimdValue z = r * r, half = z * 0.5;
  const SimdValue p =
      r.is_double() ? polynomial(z, {0.0416666666666666667, -0.00138888888888888878, 0.0000248015873015845111,
                                     -2.7557319221298087e-7, 2.08767557548795964e-9, -1.14704551782169066e-11,
                                     4.74553701731925837e-14})
                    : polynomial(z, {0.04166666666, -0.001388888764, 2.48005806e-5, -2.729840765e-7});
  const SimdValue w = 1 - half;
  const SimdValue lost = (1 - w) - half;
  return w + (fma(z * z, p, lost) - r * low);
}

struct SineCosine {
  SimdValue sine, cosine, quadrant;  ///< of the reduced argument; the quadrant as integer lanes of its width
};
SineCosine sine_cosine(SimdValue x) {
  if (x.is_double()) {
    const Reduced r = reduce(x);
    return {sine_small(r.high, r.low), cosine_small(r.high, r.low), r.quadrant};
  }
  const Reduced r = reduce(to_double(x));
  SimdBuilder& l = *x.builder;
  const SimdValue high = to_float(r.high);
  const SimdValue quadrant = l.number(l.b.CreateTrunc(r.quadrant.value, l.integer(32)));
  const SimdValue zero = l.constant(l.f32(), 0);
  return {sine_small(high, zero), cosine_small(high, zero), quadrant};
}

SimdValue bit(SimdValue quadrant, std::uint64_t which) {
  SimdBuilder& l = *quadrant.builder;
  llvm::Value* masked =
      l.b.CreateAnd(quadrant.value, llvm::ConstantInt::get(quadrant.value->getType(), which));
  return l.number(l.b.CreateICmpNE(masked, llvm::Constant::getNullValue(masked->getType())));
}

/// x + x^3 p(x^2) = asin(x) for |x| <= 1/2.
SimdValue asin_small(SimdValue x) {
  const SimdValue z = x * x;
  const SimdValue p = polynomial(
      z, {0.166666666666666678, 0.0749999999999843293, 0.0446428571463554298, 0.0303819441385312473,
          0.0223721729421498879, 0.0173523927208699729, 0.0139712129735529333, 0.0114791774151849059,
          0.0103228143501857793, 0.0054575067186403583, 0.0174008794426940224, -0.0148518870712472032,
          0.0287578513674215647});
  return fma(x * z, p, x);
}

/// atan(numerator / denominator) for both at least 0, not both 0 or infinite.
SimdValue atan_quotient(SimdValue numerator, SimdValue denominator) {
  const SimdValue steep = numerator > denominator;
  const SimdValue small = select(steep, denominator, numerator),
                  large = select(steep, numerator, denominator);
  const SimdValue t = small / large;
  const SimdValue middle =
      t > 0.41421356237309503;  // tan(pi / 8); then atan t = pi/4 + atan((t - 1) / (t + 1))
  const SimdValue u = select(middle, (t - 1) / (t + 1), t);
  const SimdValue z = u * u;
  const SimdValue p = polynomial(
      z, {-0.333333333333333332, 0.199999999999998044, -0.142857142856598069, 0.111111111051534294,
          -0.090909087534004996, 0.0769229637212996382, -0.0666642483361355236, 0.0587892839851723232,
          -0.0523044985670924067, 0.0455157308666419053, -0.0345700441860955366, 0.0162851830298656676});
  const SimdValue tail = fma(u * z, p, select(middle, pi_low / 4, u * 0));
  const SimdValue angle = select(middle, pi / 4, u * 0) + (u + tail);
  return select(steep, (pi / 2 - angle) + pi_low / 2, angle);
}

}  // namespace

SimdValue sin(SimdValue x) {
  const SineCosine r = sine_cosine(x);
  const SimdValue value = select(bit(r.quadrant, 1), r.cosine, r.sine);
  return select(x == 0, x, select(abs(x) == infinity, nan, select(bit(r.quadrant, 2), -value, value)));
}

SimdValue cos(SimdValue x) {
  const SineCosine r = sine_cosine(x);
  const SimdValue value = select(bit(r.quadrant, 1), r.sine, r.cosine);
  const SimdValue flipped = bit(r.quadrant, 1) ^ bit(r.quadrant, 2);
  return select(abs(x) == infinity, nan, select(flipped, -value, value));
}

SimdValue tan(SimdValue x) {
  return in_double(x, [](SimdValue x) {
    const SineCosine r = sine_cosine(x);
    const SimdValue odd = bit(r.quadrant, 1);
    const SimdValue value = select(odd, -r.cosine, r.sine) / select(odd, r.sine, r.cosine);
    return select(x == 0, x, select(abs(x) == infinity, nan, value));
  });
}

SimdValue asin(SimdValue x) {
  return in_double(x, [](SimdValue x) {
    const SimdValue a = abs(x), large = a > 0.5;
    const SimdValue half = (1 - a) * 0.5;
    const SimdValue s = asin_small(select(large, sqrt(half), a));
    const SimdValue value = select(large, (pi / 2 - s * 2) + pi_low / 2, s);
    return copy_sign(select(a <= 1, value, nan), x);
  });
}

SimdValue acos(SimdValue x) {
  return in_double(x, [](SimdValue x) {
    const SimdValue a = abs(x), large = a > 0.5;
    const SimdValue s = asin_small(select(large, sqrt((1 - a) * 0.5), x));
    const SimdValue outer = select(x < 0, pi - (s * 2 - pi_low), s * 2);
    return select(a <= 1, select(large, outer, pi / 2 - (s - pi_low / 2)), nan);
  });
}

SimdValue atan(SimdValue x) {
  return in_double(x, [](SimdValue x) {
    const SimdValue one = x.builder->constant(x.value->getType(), 1);
    const SimdValue angle = atan_quotient(abs(x), one);
    return select(is_nan(x), x, copy_sign(angle, x));
  });
}

SimdValue atan2(SimdValue y, SimdValue x) {
  if (!y.is_double()) return to_float(atan2(to_double(y), to_double(x)));
  const SimdValue a = abs(y), b = abs(x);
  // Two infinities are at equal angles to the axes; two zeros lie on the first.
  const SimdValue both = ((a == infinity) & (b == infinity)), none = (a == 0) & (b == 0);
  const SimdValue numerator = select(both, 1, a), denominator = select(both | none, 1, b);
  const SimdValue angle = atan_quotient(numerator, denominator);
  SimdBuilder& l = *x.builder;
  const SimdValue left = l.number(
      l.b.CreateICmpSLT(bits_of(x).value, llvm::Constant::getNullValue(bits_of(x).value->getType())));
  const SimdValue turned = select(left, (pi - angle) + pi_low, angle);
  return select(is_nan(x), x, select(is_nan(y), y, copy_sign(turned, y)));
}

}  // namespace codegen::math
