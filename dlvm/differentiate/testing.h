#pragma once

#include <span>

#include "dlvm/differentiate/rules.h"

namespace dlvm {

/// During its lifetime `rows` replace the table's rows of their instructions on this thread, so that a test
/// can put in a wrong derivative and see that it is found. Only tests use it, and only one may exist at a
/// time.
class ScopedDerivatives {
 public:
  explicit ScopedDerivatives(std::span<const DerivativeRow> rows);
  ~ScopedDerivatives();
  ScopedDerivatives(const ScopedDerivatives&) = delete;
  ScopedDerivatives& operator=(const ScopedDerivatives&) = delete;
};

}  // namespace dlvm
