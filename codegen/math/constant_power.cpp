// Powers by a constant integer as multiplications, by a shortest addition chain.
#include <llvm/IR/Constants.h>

#include <array>
#include <cstdlib>

#include "codegen/math/functions.h"
#include "dlvm/ir/instruction_table.h"

namespace codegen::math {
namespace {

/// The exponents of the powers in the order in which they are computed, from 1; each is the sum of the one
/// before and of that at `with`. So is a shortest chain of every number up to 12508 (A. Brauer's chains; D.
/// E. Knuth, The Art of Computer Programming, volume 2, section 4.6.3).
struct Chain {
  std::array<std::uint8_t, 9> exponents{1}, with{};
  std::size_t size = 1;
};

constexpr std::uint8_t most = dlvm::max_constant_exponent;

/// Whether `steps` more sums lead to n. What doubling in every step does not reach is out of reach.
constexpr bool extend(Chain& chain, std::size_t steps, unsigned n) {
  const unsigned last = chain.exponents[chain.size - 1];
  if (last == n) return true;
  if (steps == 0 || last << steps < n) return false;
  for (std::size_t i = chain.size; i-- > 0;) {
    const unsigned next = last + chain.exponents[i];
    if (next > n) continue;
    chain.exponents[chain.size] = static_cast<std::uint8_t>(next);
    chain.with[chain.size++] = static_cast<std::uint8_t>(i);
    if (extend(chain, steps - 1, n)) return true;
    --chain.size;
  }
  return false;
}

constexpr std::array<Chain, most + 1> chains = [] {
  std::array<Chain, most + 1> all{};
  for (unsigned n = 1; n <= most; ++n) {
    Chain chain;
    for (std::size_t steps = 0; !extend(chain, steps, n); ++steps) {
    }
    all[n] = chain;
  }
  return all;
}();

// Knuth's table: l(7) = 4, l(15) = 5, l(23) = 6, l(47) = 8, l(64) = 6.
static_assert(chains[7].size == 5 && chains[15].size == 6 && chains[23].size == 7 && chains[47].size == 9 &&
              chains[64].size == 7);

}  // namespace

std::optional<int> constant_exponent(SimdValue y) {
  const auto* constant = llvm::dyn_cast<llvm::Constant>(y.value);
  if (constant != nullptr && constant->getType()->isVectorTy()) constant = constant->getSplatValue();
  std::optional<double> value;
  if (const auto* real = llvm::dyn_cast_or_null<llvm::ConstantFP>(constant))
    value = real->getValueAPF().convertToDouble();
  if (const auto* integer = llvm::dyn_cast_or_null<llvm::ConstantInt>(constant))
    if (integer->getValue().getSignificantBits() <= 64 && !integer->isNegative())
      value = static_cast<double>(integer->getZExtValue());
  if (!value || !(std::abs(*value) <= most) || static_cast<int>(*value) != *value) return std::nullopt;
  return static_cast<int>(*value);
}

SimdValue power(SimdValue x, int exponent) {
  const auto n = static_cast<std::size_t>(std::abs(exponent));
  if (n == 0)
    return x.is_floating() ? x.builder->constant(x.value->getType(), 1)
                           : x.builder->integer_constant(x.value->getType(), 1);
  const Chain& chain = chains[n];
  std::vector<SimdValue> powers{x};
  for (std::size_t i = 1; i < chain.size; ++i) powers.push_back(powers.back() * powers[chain.with[i]]);
  return exponent < 0 ? 1 / powers.back() : powers.back();
}

}  // namespace codegen::math
