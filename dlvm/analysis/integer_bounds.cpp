#include "dlvm/analysis/integer_bounds.h"

#include <algorithm>

namespace dlvm {
namespace {

constexpr WideInteger huge = WideInteger{1} << 120;

WideInteger limited(WideInteger value) { return std::clamp(value, -huge, huge); }

WideInteger product(WideInteger a, WideInteger b) {
  WideInteger out = 0;
  if (__builtin_mul_overflow(a, b, &out)) return (a < 0) == (b < 0) ? huge : -huge;
  return limited(out);
}

struct Range {
  WideInteger least = 0, most = 0;
};

Range product(const Range& a, const Range& b) {
  const auto [least, most] = std::minmax({product(a.least, b.least), product(a.least, b.most),
                                          product(a.most, b.least), product(a.most, b.most)});
  return {least, most};
}

/// No quotient is further from 0 than its numerator.
Range quotient(const Range& a, const Range& b) {
  if (b.least < 0) {
    const WideInteger most = std::max(-a.least, a.most) + 1;
    return {-most, most};
  }
  return {std::min<WideInteger>(a.least, 0), std::max<WideInteger>(a.most, 0)};
}

/// The values that the extent can have.
Range range_of(const Extent& extent) {
  Range sum;
  for (const Extent::Term& term : extent.terms()) {
    Range factor{term.coefficient, term.coefficient};
    for (const Extent::Atom& atom : term.atoms)
      factor = product(
          factor, atom.floor ? quotient(range_of(atom.floor->numerator), range_of(atom.floor->denominator))
                             : Range{0, max_dimension});
    sum = {limited(sum.least + factor.least), limited(sum.most + factor.most)};
  }
  return sum;
}

/// Nothing where the arithmetic of extents found no result.
std::optional<Extent> valid(const Extent& extent) {
  return extent.valid() ? std::optional(extent) : std::nullopt;
}

/// An extent that neither of the two is above.
std::optional<Extent> above(const std::optional<Extent>& a, const std::optional<Extent>& b) {
  if (!a || !b) return std::nullopt;
  if (provably_at_most(*a, *b) == Proof::yes) return b;
  if (provably_at_most(*b, *a) == Proof::yes) return a;
  return valid(without_negative_terms(*a) + without_negative_terms(*b));
}

/// An extent that neither of the two is below.
std::optional<Extent> below(const std::optional<Extent>& a, const std::optional<Extent>& b) {
  if (!a || !b) return std::nullopt;
  if (provably_at_most(*a, *b) == Proof::yes) return a;
  if (provably_at_most(*b, *a) == Proof::yes) return b;
  const WideInteger least = std::min(range_of(*a).least, range_of(*b).least);
  if (least < -max_dimension) return std::nullopt;
  return Extent(static_cast<std::int64_t>(std::min<WideInteger>(least, max_dimension)));
}

/// The one that says more, or is known.
std::optional<Extent> smaller(const std::optional<Extent>& a, const std::optional<Extent>& b) {
  return !a || (b && provably_at_most(*b, *a) == Proof::yes) ? b : a;
}
std::optional<Extent> larger(const std::optional<Extent>& a, const std::optional<Extent>& b) {
  return !a || (b && provably_at_most(*a, *b) == Proof::yes) ? b : a;
}

template <typename Operation>
std::optional<Extent> combined(const std::optional<Extent>& a, const std::optional<Extent>& b,
                               Operation operation) {
  return a && b ? valid(operation(*a, *b)) : std::nullopt;
}

constexpr auto sum = [](const Extent& a, const Extent& b) { return a + b; };
constexpr auto difference = [](const Extent& a, const Extent& b) { return a - b; };
constexpr auto times = [](const Extent& a, const Extent& b) { return a * b; };

}  // namespace

Extent without_negative_terms(const Extent& extent) {
  if (extent.lower_bound() && *extent.lower_bound() >= 0) return extent;
  Extent sum;
  for (const auto& term : extent.terms()) {
    if (term.coefficient < 0) continue;
    Extent product(term.coefficient);
    for (const auto& atom : term.atoms)
      product = product * (atom.floor != nullptr
                               ? Extent::floor_divide(atom.floor->numerator, atom.floor->denominator)
                               : Extent::dimension(atom.name));
    sum = sum + product;
  }
  const auto least = sum.lower_bound();
  return least && *least >= 0 ? sum : Extent::invalid();
}

IntegerBounds IntegerBounds::of_type(ElementType type) {
  const int bits = is_boolean(type) ? 1 : 8 * info(type).bytes;
  IntegerBounds bounds;
  if (is_signed(type)) {
    bounds.most = (WideInteger{1} << (bits - 1)) - 1;
    bounds.least = -bounds.most - 1;
  } else {
    bounds.most = (WideInteger{1} << bits) - 1;
    bounds.lower = Extent(0);
  }
  if (is_boolean(type)) bounds.upper = Extent(1);
  return bounds;
}

IntegerBounds IntegerBounds::exactly(const Extent& extent) {
  const Range range = range_of(extent);
  return {extent, extent, range.least, range.most};
}

std::optional<Extent> IntegerBounds::exact() const {
  return lower && upper && *lower == *upper ? lower : std::nullopt;
}

bool IntegerBounds::fit(ElementType type) const {
  const IntegerBounds all = of_type(type);
  return least >= all.least && most <= all.most;
}

IntegerBounds IntegerBounds::wrapped_to(ElementType type) const {
  const IntegerBounds all = of_type(type);
  IntegerBounds out = *this;
  if (least < all.least) out.upper = all.upper;
  if (most > all.most) out.lower = all.lower;
  if (!fit(type)) out.least = all.least, out.most = all.most;
  out.lower = larger(out.lower, all.lower);
  if (out.lower) out.least = std::max(out.least, range_of(*out.lower).least);
  if (out.upper) out.most = std::min(out.most, range_of(*out.upper).most);
  return out;
}

IntegerBounds operator+(const IntegerBounds& a, const IntegerBounds& b) {
  return {combined(a.lower, b.lower, sum), combined(a.upper, b.upper, sum), limited(a.least + b.least),
          limited(a.most + b.most)};
}

IntegerBounds operator-(const IntegerBounds& a) {
  return {combined(Extent(0), a.upper, difference), combined(Extent(0), a.lower, difference), -a.most,
          -a.least};
}

IntegerBounds operator-(const IntegerBounds& a, const IntegerBounds& b) { return a + -b; }

IntegerBounds operator*(const IntegerBounds& a, const IntegerBounds& b) {
  const Range range = product({a.least, a.most}, {b.least, b.most});
  const auto of = [&](std::optional<Extent> lower, std::optional<Extent> upper) {
    return IntegerBounds{std::move(lower), std::move(upper), range.least, range.most};
  };
  const auto exact_a = a.exact(), exact_b = b.exact();
  if (exact_a && exact_b) return of(valid(*exact_a * *exact_b), valid(*exact_a * *exact_b));
  const std::optional<Extent> factor = exact_a && exact_a->constant() ? exact_a : exact_b;
  if (factor && factor->constant()) {
    const IntegerBounds& other = factor == exact_a ? b : a;
    auto at_lower = combined(other.lower, factor, times), at_upper = combined(other.upper, factor, times);
    if (*factor->constant() < 0) std::swap(at_lower, at_upper);
    return of(std::move(at_lower), std::move(at_upper));
  }
  if (a.least < 0 || b.least < 0) return of(std::nullopt, std::nullopt);
  // Lower bounds of what is not negative may still be negative.
  return of(Extent(0), combined(a.upper, b.upper, times));
}

IntegerBounds floor_divided(const IntegerBounds& a, const IntegerBounds& b) {
  const Range range = quotient({a.least, a.most}, {b.least, b.most});
  IntegerBounds out{std::nullopt, std::nullopt, range.least, range.most};
  if (b.least < 0) return out;
  const auto divisor = b.exact();
  if (divisor && b.least > 0) {
    out.lower = combined(a.lower, divisor, Extent::floor_divide);
    out.upper = combined(a.upper, divisor, Extent::floor_divide);
  } else if (divisor) {  // a quotient by 0 is 0
    out.upper = combined(a.upper, divisor, [](const Extent& x, const Extent& y) {
      return without_negative_terms(Extent::floor_divide(x, y));
    });
  } else if (a.least >= 0) {
    out.upper = a.upper;
  }
  if (a.least >= 0 && !out.lower) out.lower = Extent(0);
  return out;
}

IntegerBounds modulo(const IntegerBounds& a, const IntegerBounds& b) {
  if (b.least < 0) return {std::nullopt, std::nullopt, b.least, std::max<WideInteger>(b.most, 0)};
  const auto last = b.least > 0 ? combined(b.upper, Extent(1), difference) : b.upper;
  IntegerBounds out{Extent(0), last, 0, b.most};
  if (a.least >= 0) out.upper = smaller(a.upper, out.upper);
  return out;
}

IntegerBounds minimum(const IntegerBounds& a, const IntegerBounds& b) {
  return {below(a.lower, b.lower), smaller(a.upper, b.upper), std::min(a.least, b.least),
          std::min(a.most, b.most)};
}

IntegerBounds maximum(const IntegerBounds& a, const IntegerBounds& b) {
  return {larger(a.lower, b.lower), above(a.upper, b.upper), std::max(a.least, b.least),
          std::max(a.most, b.most)};
}

IntegerBounds either(const IntegerBounds& a, const IntegerBounds& b) {
  return {below(a.lower, b.lower), above(a.upper, b.upper), std::min(a.least, b.least),
          std::max(a.most, b.most)};
}

}  // namespace dlvm
