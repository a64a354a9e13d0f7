#pragma once

#include <cmath>

#include "dlvm/interpret/interpret.h"

namespace fuzz {

/// The same bits, but that a NaN is a NaN.
inline bool same(const dlvm::RuntimeValue& a, const dlvm::RuntimeValue& b) {
  if (a.is_tensor() != b.is_tensor()) return false;
  if (!a.is_tensor()) {
    if (a.elements().size() != b.elements().size()) return false;
    for (std::size_t i = 0; i < a.elements().size(); ++i)
      if (!same(a.elements()[i], b.elements()[i])) return false;
    return true;
  }
  const dlvm::Tensor &x = a.tensor(), &y = b.tensor();
  if (x.element() != y.element() || x.extents() != y.extents()) return false;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double l = x.real(i), r = y.real(i);
    if (std::isnan(l) != std::isnan(r)) return false;
    if (!std::isnan(l) && (l != r || std::signbit(l) != std::signbit(r))) return false;
  }
  return true;
}

}  // namespace fuzz
