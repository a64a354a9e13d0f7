#include "codegen/kernel/build/guards.h"

#include <algorithm>

namespace codegen::kernel {
namespace {

/// Returns whether 0 <= bound.index < bound.end follows from 0 <= x < end, because bound.index is floor(x /
/// d) and end is at most d times bound.end.
bool is_quotient_inside(const Bound& bound, const Bound& known, AxisExtents axes) {
  return std::ranges::any_of(bound.index.terms, [&](const Index::Term& term) {
    const auto* quotient = as_quotient(term.atom, Index::Quotient::Kind::floor);
    return quotient != nullptr && provably_at_most(1, quotient->divisor) == dlvm::Proof::yes &&
           floor_divide(known.index, quotient->divisor, axes) == bound.index &&
           provably_at_most(known.end, quotient->divisor * bound.end) == dlvm::Proof::yes;
  });
}

}  // namespace

bool is_zero(const Scalar& scalar) {
  const auto* literal = std::get_if<Scalar::Literal>(&scalar.definition);
  if (literal == nullptr) return false;
  const dlvm::Tensor& value = literal->value;
  return std::all_of(value.data(), value.data() + value.byte_count(),
                     [](std::byte byte) { return byte == std::byte{0}; });
}

bool provably_follows(const Bound& bound, std::span<const Bound> known, AxisExtents axes) {
  return std::ranges::any_of(known, [&](const Bound& each) {
    if (each.index == bound.index && provably_at_most(each.end, bound.end) == dlvm::Proof::yes) return true;
    return is_quotient_inside(bound, each, axes);
  });
}

bool provably_zero_outside(const Bound& bound, ScalarId scalar, std::span<const Scalar> scalars,
                           AxisExtents axes, int most_selects) {
  const Scalar& what = scalars[scalar];
  if (is_zero(what)) return true;
  if (const auto* load = std::get_if<Scalar::Load>(&what.definition))
    return provably_follows(bound, load->bounds, axes) && is_zero(scalars[load->fill]);
  const auto* operation = std::get_if<Scalar::Operation>(&what.definition);
  if (operation == nullptr || operation->opcode != dlvm::Opcode::select || most_selects == 0) return false;
  const auto zero_outside = [&](std::size_t operand) {
    return provably_zero_outside(bound, operation->operands[operand], scalars, axes, most_selects - 1);
  };
  constexpr std::size_t where_true = 0, where_false = 1, condition = 2;
  return zero_outside(where_false) && (zero_outside(condition) || zero_outside(where_true));
}

}  // namespace codegen::kernel
