#include "dlvm/ir/extent.h"

namespace dlvm {

Proof provably_equal(const Extent& a, const Extent& b) {
  if (a == b) return a.valid() ? Proof::yes : Proof::unknown;
  const Extent above = a - b, below = b - a;
  if (above.constant()) return Proof::no;
  if (above.lower_bound().value_or(0) > 0 || below.lower_bound().value_or(0) > 0) return Proof::no;
  return Proof::unknown;
}

Proof provably_at_most(const Extent& a, const Extent& b) {
  if (const auto slack = (b - a).lower_bound(); slack && *slack >= 0) return Proof::yes;
  if (const auto excess = (a - b).lower_bound(); excess && *excess > 0) return Proof::no;
  return Proof::unknown;
}

bool unify(const Extent& pattern, const Extent& actual, Extent::Substitution& substitution) {
  if (const auto name = pattern.name()) {
    const auto [place, fresh] = substitution.try_emplace(*name, actual);
    return fresh || provably_equal(place->second, actual) == Proof::yes;
  }
  return provably_equal(pattern.substitute(substitution), actual) == Proof::yes;
}

}  // namespace dlvm
