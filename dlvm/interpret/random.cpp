// The rule of `random`: Philox 4x32-10, counter-based, so that element i is a function of key, counter and i.
#include "dlvm/interpret/evaluation.h"
#include "dlvm/ir/philox.h"

namespace dlvm::evaluation {
namespace {

/// The 32 or 64 random bits of element `i`; a block has 4 or 2 of them.
std::uint64_t bits_of(std::uint64_t key, std::uint64_t counter, std::uint64_t i, bool wide) {
  if (!wide) return philox(key, counter, i / 4)[i % 4];
  const auto block = philox(key, counter, i / 2);
  const std::size_t lane = i % 2 * 2;
  return block[lane] | static_cast<std::uint64_t>(block[lane + 1]) << 32;
}

/// The bits as a number in [0, 1) that the type represents: its precision's leading bits.
double unit(std::uint64_t bits, ElementType type) {
  if (type == ElementType::f16) return static_cast<double>(bits >> 21) * 0x1p-11;
  if (type == ElementType::bf16) return static_cast<double>(bits >> 24) * 0x1p-8;
  if (type == ElementType::f64) return static_cast<double>(bits >> 11) * 0x1p-53;
  return static_cast<double>(bits >> 8) * 0x1p-24;
}

bool is_wide(ElementType type) {
  return type == ElementType::f64 || type == ElementType::i64 || type == ElementType::u64;
}

}  // namespace

namespace rules {

RULE(random) {
  auto result = e.result();
  if (!result) return std::nullopt;
  const Tensor &low = e.operand(0), &high = e.operand(1);
  const auto word = [&](std::size_t i) {
    return static_cast<std::uint64_t>(i < e.operands.size() ? e.operand(i).integer(0) : 0);
  };
  const std::uint64_t key = word(2), counter = word(3);
  const ElementType type = e.instruction.type().element();
  const bool wide = is_wide(type), in_double = low.element() == ElementType::f64;
  for (std::size_t i = 0; i < result->size(); ++i) {
    const std::uint64_t bits = bits_of(key, counter, i, wide);
    if (!is_floating(type)) {
      const auto from = static_cast<std::uint64_t>(low.integer(0));
      const std::uint64_t range = static_cast<std::uint64_t>(high.integer(0)) - from;
      result->set(i, static_cast<std::int64_t>(range == 0 ? from : from + bits % range));
    } else if (in_double) {
      result->set(i, low.real(0) + unit(bits, type) * (high.real(0) - low.real(0)));
    } else {
      // In the type's own arithmetic (16-bit floats in f32), step by step: every target gives these bits.
      const auto from = static_cast<float>(low.real(0)), upto = static_cast<float>(high.real(0));
      const float range = upto - from, scaled = static_cast<float>(unit(bits, type)) * range;
      result->set(i, static_cast<double>(from + scaled));
    }
  }
  return RuntimeValue(std::move(*result));
}

}  // namespace rules
}  // namespace dlvm::evaluation
