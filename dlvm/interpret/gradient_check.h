#pragma once

#include <string>
#include <vector>

#include "dlvm/interpret/entry_call.h"

/// Derivatives against central differences in float64. A derivative g agrees with the difference d when
/// |g - d| <= 1e-6 (|g| + max |g|), the maximum over all derivatives of the entry point, and the rounding
/// of the difference itself.
namespace dlvm {

struct GradientCheckOptions {
  EntryInputs given;  ///< everything else is drawn with its seed
  /// Tensors of up to so many elements are checked whole; of larger ones this many, and one direction in
  /// which all elements move.
  std::size_t elements = 32;
  double tolerance = 1e-6;
};

/// One derivative tensor of one entry point.
struct GradientCheckRow {
  std::string entry, name;  ///< `gradient`, `W1`
  std::size_t elements = 0, checked = 0;
  std::size_t kinks = 0;    ///< points at a kink, drawn again
  std::size_t skipped = 0;  ///< elements at a kink however drawn, or whose term of the value is not finite
  double worst_ratio = 0;   ///< of the largest error to what is allowed
  std::string worst;        ///< its place and both values
  bool agrees() const { return worst_ratio <= 1; }
};

struct GradientCheck {
  std::vector<GradientCheckRow> rows;
  std::vector<std::string> errors;  ///< entry points that could not be evaluated, and why
  bool passed() const;
};

/// Checks all entry points with derivatives. `expanded` is the module after `expand_gradients`; `declared`
/// the same module before it, whose gradient declarations say what is differentiated.
GradientCheck check_gradients(const Module& expanded, const Module& declared,
                              const GradientCheckOptions& options);

/// A table of the rows, then the errors, for a person.
std::string render(const GradientCheck& check);

}  // namespace dlvm
