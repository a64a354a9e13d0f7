// Powers and the remainder of floating-point numbers.
#include <limits>

#include "codegen/math/functions.h"

namespace codegen::math {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

SimdValue sign_bit(SimdValue x) {
  const SimdValue bits = bits_of(x);
  return bits < 0;
}

template <typename Compute>
SimdValue in_double2(SimdValue x, SimdValue y, Compute compute) {
  return x.is_double() ? compute(x, y) : to_float(compute(to_double(x), to_double(y)));
}

/// log(x) with about 12 bits more than the type has: of the series 2 s + s z (2/3 + z q(z)), s = f / (2 + f),
/// z = s^2, all but the last product is computed as a sum of two numbers.
Pair log_pair(SimdValue x) {
  const bool wide = x.is_double();
  const auto [k, m] = decompose(x);
  const SimdValue f = m - 1, d = f + 2, d_low = f - (d - 2), s = f / d, p = s * d;
  const SimdValue s_low = (((f - p) - product_error(s, d, p)) - s * d_low) / d;
  const SimdValue z = s * s, z_low = fma(s * 2, s_low, product_error(s, s, z));
  const SimdValue q =
      wide ? polynomial(z, {0.3999999999999999982, 0.2857142857142936812, 0.2222222222165473257,
                            0.1818181833565415947, 0.1538459493459791669, 0.1333480621210060365,
                            0.1170619568988136484, 0.1172360362290541163})
           : polynomial(z, {0.4000001507, 0.2856222986, 0.230485211});
  const double third = wide ? 2.0 / 3 : 2.0f / 3,
               third_low = wide ? 3.7007434154171886e-17 : 2.0 / 3 - 2.0f / 3;
  const SimdValue two_thirds = x.builder->constant(x.value->getType(), third), t = z * two_thirds;
  const SimdValue t_low =
      product_error(z, two_thirds, t) + fma(z_low, two_thirds, fma(z * z, q, z * third_low));
  const SimdValue u = s * t, u_low = product_error(s, t, u) + fma(s, t_low, s_low * t);
  const auto [ln2_high, ln2_low] = split_ln2(x);
  const SimdValue base = k * ln2_high, lead = s * 2, sum = base + lead;
  const SimdValue sum_low = select(k == 0, 0.0, lead - (sum - base));  // |base| > |lead| where k is not 0
  const SimdValue all = sum + u;
  const SimdValue low = (u - (all - sum)) + (sum_low + (u_low + (s_low * 2 + k * ln2_low)));
  const SimdValue high = all + low;
  return {high, low - (high - all)};
}

SimdValue power_magnitude(SimdValue a, SimdValue y) {
  const bool wide = a.is_double();
  const Pair log_a = log_pair(a);
  const double least = wide ? -750 : -106, most = wide ? 711 : 90;
  const SimdValue p = y * log_a.high, inside = select(p < least, least, select(p > most, most, p));
  const SimdValue low = product_error(y, log_a.high, p) + y * log_a.low;
  return rounded(exp_extended(inside, select(inside == p, low, 0.0)));
}

/// The remainder of |x| by |y|, both finite and y not 0: 40 quotient bits a step, each exact.
llvm::Value* write_remainder(SimdBuilder& l, llvm::Function& function) {
  llvm::IRBuilder<>& b = l.b;
  const SimdValue y = l.number(function.getArg(1));
  auto* start = b.GetInsertBlock();
  auto* loop = llvm::BasicBlock::Create(b.getContext(), "step", &function);
  auto* done = llvm::BasicBlock::Create(b.getContext(), "done", &function);
  b.CreateBr(loop);
  b.SetInsertPoint(loop);
  llvm::PHINode* rest = b.CreatePHI(b.getDoubleTy(), 2);
  rest->addIncoming(function.getArg(0), start);
  const SimdValue r = l.number(rest);
  // y * 2^k with the quotient below 2^40, by exponents; a subnormal y counts as 2^-1074.
  const auto exponent = [&](SimdValue v) {
    return l.number(b.CreateUIToFP(shift_right(bits_of(v), 52).value, b.getDoubleTy()));
  };
  const SimdValue difference = exponent(r) - exponent(y) - select(y < 0x1p-1022, 1.0, r * 0 + 40);
  const SimdValue k = select(difference < 0, 0.0, difference), half = floor(k * 0.5);
  const SimdValue t = y * power_of_two(half) * power_of_two(k - half);
  const SimdValue q = truncate(r / t), p = q * t;
  const SimdValue left = (r - p) - product_error(q, t, p);
  const SimdValue fixed = select(left < 0, left + t, select(left >= t, left - t, left));
  rest->addIncoming(fixed.value, b.GetInsertBlock());
  b.CreateCondBr((fixed < y).value, done, loop);
  b.SetInsertPoint(done);
  return fixed.value;
}

SimdValue remainder(SimdValue a, SimdValue c) {
  SimdBuilder& l = *a.builder;
  llvm::IRBuilder<>& b = l.b;
  const SimdValue q = truncate(a / c), p = q * c;
  const SimdValue left = (a - p) - product_error(q, c, p);
  const SimdValue near = select(left < 0, left + c, select(left >= c, left - c, left));
  const SimdValue quotient_fits = (a / c) < 0x1p50;
  const SimdValue tiny = (c < 0x1p-960) & (a >= c);  // where the products' errors would underflow
  const SimdValue far = ((!quotient_fits) | tiny) & (a < infinity) & (c > 0) & (c < infinity);
  llvm::Function* slow = scalar_function(l, "tel.remainder", b.getDoubleTy(),
                                         {b.getDoubleTy(), b.getDoubleTy()}, write_remainder);
  llvm::Function* here = b.GetInsertBlock()->getParent();
  auto* long_way = llvm::BasicBlock::Create(b.getContext(), "far", here);
  auto* done = llvm::BasicBlock::Create(b.getContext(), "near", here);
  llvm::BasicBlock* before = b.GetInsertBlock();
  b.CreateCondBr(l.any(far), long_way, done);
  b.SetInsertPoint(long_way);
  const SimdValue safe_a = select(far, a, 1.0), safe_c = select(far, c, 1.0);
  llvm::Value* all = near.value;
  for (unsigned lane = 0; lane < l.width; ++lane) {
    const auto of = [&](llvm::Value* v) { return l.width == 1 ? v : b.CreateExtractElement(v, lane); };
    llvm::Value* result =
        b.CreateSelect(of(far.value), b.CreateCall(slow, {of(safe_a.value), of(safe_c.value)}), of(all));
    all = l.width == 1 ? result : b.CreateInsertElement(all, result, lane);
  }
  b.CreateBr(done);
  b.SetInsertPoint(done);
  llvm::PHINode* phi = b.CreatePHI(all->getType(), 2);
  phi->addIncoming(near.value, before);
  phi->addIncoming(all, long_way);
  return l.number(phi);
}

}  // namespace

SimdValue power(SimdValue x, SimdValue y) {
  const SimdValue a = abs(x);
  const SimdValue value = power_magnitude(a, y);
  const SimdValue whole = (y == truncate(y));
  const SimdValue odd = whole & !(y * 0.5 == truncate(y * 0.5));  // large numbers are even
  const SimdValue zero_or_infinite = (a == 0) | (a == infinity);
  const SimdValue grows = (a > 1) == (y > 0);
  const SimdValue zero = a.builder->constant(a.value->getType(), 0), limit = select(grows, infinity, zero);
  const SimdValue of_limits = select(zero_or_infinite | (abs(y) == infinity), abs(limit), value);
  const SimdValue one = a.builder->constant(a.value->getType(), 1);
  const SimdValue magnitude = select((a == 1) & (abs(y) == infinity), one, of_limits);
  const SimdValue negative = sign_bit(x);
  const SimdValue is_signed = select(negative & odd, -magnitude, magnitude);
  const SimdValue real = select((x < 0) & !whole & (a < infinity), nan, is_signed);
  const SimdValue checked = select(is_nan(x), x, select(is_nan(y), y, real));
  return select((y == 0) | (x == 1), one, checked);
}

// The rounded quotient is above x / y at most where it is whole: then x - q y is on the other side of 0 than
// y. That is exact, scaled so that q y does not overflow. Above 2^53 every quotient is whole, and stays.
SimdValue floor_divide(SimdValue x, SimdValue y) {
  return in_double2(x, y, [](SimdValue x, SimdValue y) {
    const auto constant = [&](double value) { return y.builder->constant(y.value->getType(), value); };
    const SimdValue scale = select(abs(y) > 0x1p100, constant(0x1p-100), constant(1));
    const SimdValue q = x / y, n = floor(q), c = y * scale, p = q * c;
    const SimdValue left = select(q == 0, x, (x * scale - p) - product_error(q, c, p));
    const SimdValue beyond = ((left < 0) & (y > 0)) | ((left > 0) & (y < 0));
    return select((n == q) & (abs(q) < 0x1p53) & beyond, n - 1, n);
  });
}

SimdValue modulo(SimdValue x, SimdValue y) {
  return in_double2(x, y, [](SimdValue x, SimdValue y) {
    const SimdValue c = abs(y), a = abs(x);
    const SimdValue invalid = is_nan(x) | is_nan(y) | (c == 0) | (a == infinity);
    const SimdValue r = copy_sign(select(c == infinity, a, remainder(a, c)), x);
    const SimdValue turned = select(((r < 0) & (y > 0)) | ((r > 0) & (y < 0)), r + y, r);
    return select(invalid, nan, select(r == 0, copy_sign(r, y), turned));
  });
}

}  // namespace codegen::math
