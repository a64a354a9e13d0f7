// Uniform random numbers: Philox 4x32-10 (Salmon, Moraes, Dror, Shaw: Parallel random numbers: as easy as 1,
// 2, 3, SC 2011), every lane its own block.
#include <array>

#include "codegen/math/operations.h"

namespace codegen::math {
namespace {

using dlvm::ElementType;
using Words = std::array<Number, 4>;  ///< 32-bit words, in the low half of i64

Number made(Number like, llvm::Value* value) { return {like.lanes, value}; }
Number constant(Number like, std::uint64_t value) {
  return like.lanes->integer_constant(like.value->getType(), value);
}
Number low_word(Number a) { return a & constant(a, 0xffffffff); }

Words philox(Number key, Number counter, Number block) {
  Number k0 = low_word(key), k1 = shift_right(key, 32);
  Words c{low_word(block), shift_right(block, 32), low_word(counter), shift_right(counter, 32)};
  for (int round = 0; round < 10; ++round) {
    const Number p0 = c[0] * constant(key, 0xD2511F53), p1 = c[2] * constant(key, 0xCD9E8D57);
    c = {shift_right(p1, 32) ^ c[1] ^ k0, low_word(p1), shift_right(p0, 32) ^ c[3] ^ k1, low_word(p0)};
    k0 = low_word(k0 + constant(key, 0x9E3779B9));
    k1 = low_word(k1 + constant(key, 0xBB67AE85));
  }
  return c;
}

Number is_bit(Number a, std::uint64_t bit) { return !((a & constant(a, bit)) == constant(a, 0)); }

/// The 32 or 64 random bits of the element at `position`, in i64.
Number random_bits(Number position, Number key, Number counter, bool wide) {
  const Words c = philox(key, counter, shift_right(position, wide ? 1 : 2));
  const Number odd = is_bit(position, 1);
  if (wide) return select(odd, c[2] | (c[3] << 32), c[0] | (c[1] << 32));
  return select(is_bit(position, 2), select(odd, c[3], c[2]), select(odd, c[1], c[0]));
}

Number real_of(Number bits, unsigned shift, double scale, llvm::Type* type) {
  return to_floating(shift_right(bits, shift), type) * scale;
}

}  // namespace

Number random(Number position, Number low, Number high, Number key, Number counter, ElementType type) {
  Lanes& l = *position.lanes;
  const bool wide = dlvm::info(type).bytes == 8;
  const Number bits = random_bits(position, key, counter, wide);
  switch (type) {
    case ElementType::f64:
      return low + real_of(bits, 11, 0x1p-53, l.f64()) * (high - low);
    case ElementType::f32:
      return low + real_of(bits, 8, 0x1p-24, l.f32()) * (high - low);
    case ElementType::f16:
      return convert(low + real_of(bits, 21, 0x1p-11, l.f32()) * (high - low), ElementType::f32, type);
    case ElementType::bf16:
      return convert(low + real_of(bits, 24, 0x1p-8, l.f32()) * (high - low), ElementType::f32, type);
    default:
      break;
  }
  const auto widened = [&](Number v) {
    return made(v, l.b.CreateIntCast(v.value, l.integer(64), dlvm::is_signed(type)));
  };
  const Number from = widened(low), range = widened(high) - from;
  const Number empty = range == constant(range, 0);
  const Number divisor = select(empty, constant(range, 1), range);
  const Number value = from + made(bits, l.b.CreateURem(bits.value, divisor.value));
  return made(value, l.b.CreateTrunc(value.value, held_type(l, type)));
}

}  // namespace codegen::math
