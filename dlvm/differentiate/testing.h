#pragma once

#include <span>

#include "dlvm/differentiate/rules.h"

namespace dlvm {

/// For tests alone: while it lives, `rows` stand in for the table's rows of their instructions on this
/// thread, so that a test can put in a wrong derivative and see that it is found. One at a time.
class ScopedDerivatives {
 public:
  explicit ScopedDerivatives(std::span<const DerivativeRow> rows);
  ~ScopedDerivatives();
  ScopedDerivatives(const ScopedDerivatives&) = delete;
  ScopedDerivatives& operator=(const ScopedDerivatives&) = delete;
};

}  // namespace dlvm
