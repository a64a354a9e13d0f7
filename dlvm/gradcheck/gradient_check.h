#pragma once

#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "dlvm/call/entry_call.h"

/// Derivatives against central differences in float64. A derivative g agrees with the difference d when
/// |g - d| <= 1e-6 (|g| + max |g|), the maximum over all derivatives of the entry point, and the rounding
/// of the difference itself.
namespace dlvm {

/// Which derivative is being compared.
struct GradientProgress {
  std::string_view entry, derivative;  ///< `derivative` is empty while a point is sought
  std::size_t checked = 0, elements = 0;
};

struct GradientCheckOptions {
  EntryInputs given;  ///< everything else is drawn with its seed
  /// The number of elements up to which a tensor is checked whole. Of a larger tensor this many elements are
  /// checked, and one direction in which all elements move.
  std::size_t elements = 32;
  /// About how much may be interpreted (see `Effort`). The derivatives share it; those whose share is too
  /// small are sampled or left out. At least one derivative is compared of each entry point whose value and
  /// derivatives are found with half of what is left. If that does not suffice, the first entry point is an
  /// error, and of a later one nothing is compared.
  double effort_limit = std::numeric_limits<double>::infinity();
  double tolerance = 1e-6;
  std::function<void(const GradientProgress&)> progress;  ///< called often, if it is not empty
};

/// One derivative tensor of one entry point.
struct GradientCheckRow {
  std::string entry, name;  ///< `gradient`, `W1`
  std::size_t elements = 0, checked = 0;
  std::size_t kinks = 0;    ///< points at a kink, drawn again
  std::size_t skipped = 0;  ///< elements at a kink however drawn, or whose term of the value is not finite
  double worst_ratio = 0;   ///< the largest ratio of an error to the error that is allowed
  std::string worst{};      ///< its place and both values
  bool sampled = false;     ///< some elements were not checked
  bool direction = false;   ///< all elements were compared along one direction
  bool left_out = false;    ///< the effort did not suffice for any comparison
  bool agrees() const { return worst_ratio <= 1; }
  bool compared() const { return checked > 0 || direction; }
};

struct GradientCheck {
  std::vector<GradientCheckRow> rows;
  /// An entry point that could not be evaluated, and why.
  struct Error {
    std::string entry, why;
  };
  std::vector<Error> errors;
  /// A function that has a derivative of its own, on the way of some entry point. Differences need not agree
  /// with that.
  struct Custom {
    std::string function;
    Location place;
  };
  std::vector<Custom> custom;
  bool passed() const;  ///< every derivative was compared as far as possible, and agrees
  bool agrees() const;  ///< the derivatives that were compared agree
};

/// Checks all entry points with derivatives. `expanded` is the module after `expand_gradients`; `declared`
/// the same module before it, whose gradient declarations say what is differentiated.
GradientCheck check_gradients(const Module& expanded, const Module& declared,
                              const GradientCheckOptions& options);

/// Returns a table of the rows for people, followed by a list of what was sampled with `seed`.
std::string render(const GradientCheck& check, std::uint64_t seed = 0);

}  // namespace dlvm
