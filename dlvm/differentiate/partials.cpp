#include "dlvm/differentiate/partials.h"

#include <cmath>
#include <numbers>
#include <optional>

#include "dlvm/ir/instruction_views.h"

namespace dlvm::partials {
namespace {

/// The integer that every element of a value is, where it is a literal, stretched or converted or not.
std::optional<double> constant_integer(const Value* value) {
  for (;;) {
    if (const Literal* literal = as_literal(value)) {
      const auto splat = literal->splat();
      return splat && std::trunc(*splat) == *splat && std::abs(*splat) < 0x1p53 ? splat : std::nullopt;
    }
    const Instruction* instruction = as_instruction(value);
    if (instruction == nullptr ||
        !(instruction->opcode() == Opcode::broadcast || instruction->opcode() == Opcode::shapeCast ||
          instruction->opcode() == Opcode::padShape || instruction->opcode() == Opcode::dataTypeCast))
      return std::nullopt;
    value = instruction->operand(0);
  }
}

/// The random numbers of `primal` in [0, 1): the same key and counter, so the same bits.
Expression uniform(const Primal& primal) {
  Builder& b = *primal.x.builder;
  const Random random(*primal.instruction);
  Value* counter = random.counter();
  if (random.key() != nullptr && counter == nullptr) counter = b.constant(ElementType::u64, 0);
  Value* value = b.random(random.type().shape(), primal.x.constant(0).value, primal.x.constant(1).value,
                          random.key(), counter);
  return {&b, value};
}

/// Sum over k >= 0 of 1 / (w + k)^2 for w >= 8.5: the asymptotic series (Abramowitz and Stegun 6.4.12), whose
/// first term left out is below 1e-15.
Expression trigamma_series(Expression w) {
  const Expression v = 1.0 / w, u = square(v);
  const double terms[]{7.0 / 6, -691.0 / 2730, 5.0 / 66, -1.0 / 30, 1.0 / 42, -1.0 / 30, 1.0 / 6};
  Expression sum = w.constant(terms[0]);
  for (std::size_t i = 1; i < std::size(terms); ++i) sum = sum * u + terms[i];
  return v * (1.0 + v * (0.5 + v * sum));
}

}  // namespace

/// The derivative of digamma. Below a half by reflection, trigamma(x) = (pi / sin(pi x))^2 - trigamma(1 - x)
/// (6.4.7); then eight steps of trigamma(z) = 1 / z^2 + trigamma(z + 1) (6.4.6) to where the series holds.
Partial trigamma(const Primal& primal) {
  const Expression x = primal.x, reflected = x < 0.5, z = select(reflected, 1.0 - x, x);
  Expression sum = trigamma_series(z + 8.0);
  for (int k = 7; k >= 0; --k) sum = sum + square(1.0 / (z + static_cast<double>(k)));
  // The sine of the distance from the nearest integer, which is exact.
  const Expression distance = x - x.apply(Opcode::rint);
  const Expression mirror = square(std::numbers::pi / sin(std::numbers::pi * distance));
  return select(reflected, mirror - sum, sum);
}

/// Of a constant integer exponent the polynomial's. Else y x^(y - 1), where y = 0 absorbs.
Partial power_by_base(const Primal& primal) {
  const Expression x = primal.x, y = primal.y;
  if (const auto n = constant_integer(y.value)) {
    if (*n == 0 || *n == 1) return *n;
    if (*n == 2) return 2.0 * x;
    return *n * (*n == 3 ? square(x) : power(x, *n - 1));
  }
  return absorbing_multiply(y, power(x, y - 1.0));
}

/// x^y log x, which is NaN for a negative base, and 0 at base 0.
Partial power_by_exponent(const Primal& primal) {
  return select(primal.x == 0.0, 0.0, primal.result * log(primal.x));
}

Partial larger_left(const Primal& primal) {
  const Expression x = primal.x, y = primal.y, tie = x == y;
  return select(x > y, 1.0, select(tie, x.constant(0.5), 0.0));
}

Partial larger_right(const Primal& primal) {
  return larger_left({primal.y, primal.x, primal.result, primal.instruction});
}

Partial random_by_low(const Primal& primal) { return 1.0 - uniform(primal); }
Partial random_by_high(const Primal& primal) { return uniform(primal); }

}  // namespace dlvm::partials
