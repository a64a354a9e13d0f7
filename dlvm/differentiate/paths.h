#pragma once

#include <functional>
#include <vector>

#include "dlvm/analysis/dependence.h"
#include "dlvm/support/diagnostic.h"

namespace dlvm {

/// A derivative that is not known, or is zero.
struct MissingDerivative {
  std::int64_t argument = 0;  ///< the argument by which the function is differentiated
  /// `unknown`: a path has no known derivative. `step`: there are paths, all piecewise constant or detached.
  /// `detached`: all paths are detached, or there is none.
  Edge kind = Edge::detached;
  std::vector<Dependence::Step> path;  ///< a path of that kind; empty if there is none
};

/// Takes a function that declares a gradient, and the derivatives that are missing, of which there is one.
using MissingDerivativesHandler = std::function<void(const Function&, std::vector<MissingDerivative>)>;

/// Returns the missing derivatives of a legal declaration, in the order of its arguments. `dependence` must
/// have been made with `derivative_edge`.
std::vector<MissingDerivative> missing_derivatives(const GradientDeclaration& declaration,
                                                   Dependence& dependence);

/// Reports the missing derivatives in the words of DLVM, with the path: as an error, or as a warning if all
/// paths are detached (not at all if the declaration says that its maker has warned). Returns false after an
/// error.
bool report_paths(const GradientDeclaration& declaration, Dependence& dependence, Diagnostics& diagnostics);

}  // namespace dlvm
