#pragma once

#include "dlvm/analysis/dependence.h"
#include "dlvm/diagnostics/diagnostic.h"

namespace dlvm {

/// Whether each derivative of a legal declaration is known and can be other than zero; reports it, with the
/// path, where not, and warns where a result does not depend on an argument at all.
bool report_paths(const GradientDeclaration& declaration, Dependence& dependence, Diagnostics& diagnostics);

}  // namespace dlvm
