// Uniform random numbers: Philox 4x32-10 (Salmon, Moraes, Dror, Shaw: Parallel random numbers: as easy as 1,
// 2, 3, SC 2011), every lane its own block.
#include <array>

#include "codegen/math/functions.h"
#include "codegen/math/operations.h"

namespace codegen::math {
namespace {

using dlvm::ElementType;
using Words =
    std::array<SimdValue, 4>;  ///< 32-bit words, in the low half of i64; what is above means nothing

SimdValue made(SimdValue like, llvm::Value* value) { return {like.builder, value}; }
SimdValue constant(SimdValue like, std::uint64_t value) {
  return like.builder->integer_constant(like.value->getType(), value);
}
SimdValue low_word(SimdValue a) { return a & constant(a, 0xffffffff); }

/// The values of a loop from trip to trip: `next` gives those of the following trip.
template <std::size_t count, typename Next>
std::array<SimdValue, count> repeat(int trips, std::array<SimdValue, count> values, Next next) {
  llvm::IRBuilder<>& b = values[0].builder->b;
  llvm::BasicBlock* before = b.GetInsertBlock();
  auto* body = llvm::BasicBlock::Create(b.getContext(), "round", before->getParent());
  auto* after = llvm::BasicBlock::Create(b.getContext(), "rounds", before->getParent());
  b.CreateBr(body);
  b.SetInsertPoint(body);
  llvm::PHINode* trip = b.CreatePHI(b.getInt32Ty(), 2);
  trip->addIncoming(b.getInt32(0), before);
  std::array<llvm::PHINode*, count> phis;
  for (std::size_t i = 0; i < count; ++i) {
    phis[i] = b.CreatePHI(values[i].value->getType(), 2);
    phis[i]->addIncoming(values[i].value, before);
    values[i].value = phis[i];
  }
  values = next(values);
  llvm::Value* done = b.CreateAdd(trip, b.getInt32(1));
  trip->addIncoming(done, body);
  for (std::size_t i = 0; i < count; ++i) phis[i]->addIncoming(values[i].value, body);
  b.CreateCondBr(b.CreateICmpEQ(done, b.getInt32(static_cast<std::uint32_t>(trips))), after, body);
  b.SetInsertPoint(after);
  return values;
}

/// Ten rounds, as a loop: written one after the other they take LLVM as long as a whole small network.
Words philox(SimdValue key, SimdValue counter, SimdValue block) {
  const auto round = [](std::array<SimdValue, 6> v) -> std::array<SimdValue, 6> {
    const auto [c0, c1, c2, c3, k0, k1] = v;
    const SimdValue p0 = low_word(c0) * constant(c0, 0xD2511F53),
                    p1 = low_word(c2) * constant(c2, 0xCD9E8D57);
    return {shift_right(p1, 32) ^ c1 ^ k0, p1,
            shift_right(p0, 32) ^ c3 ^ k1, p0,
            k0 + constant(k0, 0x9E3779B9), k1 + constant(k1, 0xBB67AE85)};
  };
  const auto v = repeat<6>(
      10, {block, shift_right(block, 32), counter, shift_right(counter, 32), key, shift_right(key, 32)},
      round);
  return {low_word(v[0]), low_word(v[1]), low_word(v[2]), low_word(v[3])};
}

SimdValue is_bit(SimdValue a, std::uint64_t bit) { return !((a & constant(a, bit)) == constant(a, 0)); }

SimdValue compute_bits(SimdValue position, SimdValue key, SimdValue counter, bool wide) {
  const Words c = philox(key, counter, shift_right(position, wide ? 1 : 2));
  const SimdValue odd = is_bit(position, 1);
  if (wide) return select(odd, c[2] | (c[3] << 32), c[0] | (c[1] << 32));
  return select(is_bit(position, 2), select(odd, c[3], c[2]), select(odd, c[1], c[0]));
}

/// The 32 or 64 random bits of the element at `position`, in i64. They are computed in a function of their
/// own: a program may draw hundreds of times, and an assembler for GPUs takes longest where a kernel has many
/// loops.
SimdValue random_bits(SimdValue position, SimdValue key, SimdValue counter, bool wide) {
  const std::array operands{position, key, counter};
  return call_function(wide ? "random_bits.64" : "random_bits.32", operands,
                       [&](std::span<const SimdValue> x) { return compute_bits(x[0], x[1], x[2], wide); });
}

SimdValue real_of(SimdValue bits, unsigned shift, double scale, llvm::Type* type) {
  return to_floating(shift_right(bits, shift), type) * scale;
}

}  // namespace

SimdValue random(SimdValue position, SimdValue low, SimdValue high, SimdValue key, SimdValue counter,
                 ElementType type) {
  SimdBuilder& l = *position.builder;
  const bool wide = dlvm::info(type).bytes == 8;
  const SimdValue bits = random_bits(position, key, counter, wide);
  if (type == ElementType::f64) return low + real_of(bits, 11, 0x1p-53, l.f64()) * (high - low);
  if (type == ElementType::f32) return low + real_of(bits, 8, 0x1p-24, l.f32()) * (high - low);
  if (type == ElementType::f16)
    return convert(low + real_of(bits, 21, 0x1p-11, l.f32()) * (high - low), ElementType::f32, type);
  if (type == ElementType::bf16)
    return convert(low + real_of(bits, 24, 0x1p-8, l.f32()) * (high - low), ElementType::f32, type);
  const auto widened = [&](SimdValue v) {
    return made(v, l.b.CreateIntCast(v.value, l.integer(64), dlvm::is_signed(type)));
  };
  const SimdValue from = widened(low), range = widened(high) - from;
  const SimdValue empty = range == constant(range, 0);
  const SimdValue divisor = select(empty, constant(range, 1), range);
  const SimdValue value = from + made(bits, l.b.CreateURem(bits.value, divisor.value));
  return made(value, l.b.CreateTrunc(value.value, held_type(l, type)));
}

}  // namespace codegen::math
