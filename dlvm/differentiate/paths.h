#pragma once

#include "dlvm/analysis/dependence.h"
#include "dlvm/support/diagnostic.h"

namespace dlvm {

/// A derivative that is not known, or is zero.
struct MissingDerivative {
  std::int64_t argument = 0;  ///< what it is by
  /// `unknown`: a path has no known derivative. `step`: there are paths, all piecewise constant or detached.
  /// `detached`: all paths are detached, or there is none.
  Edge kind = Edge::detached;
  std::vector<Dependence::Step> path;  ///< one of that kind; empty where there is none
};

/// Those of a legal declaration, in the order of its arguments. The rule of `dependence` is derivative_edge.
std::vector<MissingDerivative> missing_derivatives(const GradientDeclaration& declaration,
                                                   Dependence& dependence);

/// Reports them in the words of DLVM, with the path: an error, or a warning where all paths are detached
/// (none where the declaration says that its maker has warned). False after an error.
bool report_paths(const GradientDeclaration& declaration, Dependence& dependence, Diagnostics& diagnostics);

}  // namespace dlvm
