// Groups missing derivatives by their causes, and reports those that entry points lack.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "dlvm/differentiate/paths.h"
#include "dlvm/support/diagnostic.h"
#include "frontend/check/checked_module.h"

namespace frontend::derivatives {

/// Derivatives by several arguments that are missing for the same cause.
struct Group {
  dlvm::Edge kind;
  const dlvm::Instruction* cause;            ///< null: no path
  std::vector<dlvm::Dependence::Step> path;  ///< by the first of them
  std::vector<const check::Declaration*> by;
};

/// Returns what makes the path what it is: the first instruction with such an edge, inside calls where it is
/// there.
const dlvm::Instruction* cause_of(const dlvm::MissingDerivative& missing);
/// Adds a note to each call that leads to the cause, and a note with the text `what` to the cause.
void show(dlvm::Diagnostic& report, const Group& group, std::string_view what);
/// Reports that the derivative of `of` by `by` is not known, with its cause.
void report_unknown(const Group& group, dlvm::Location location, const std::string& of, const std::string& by,
                    dlvm::Diagnostics& diagnostics);
/// Reports the derivatives that the entry point's declaration lacks.
void report_missing(const check::Entry& entry, const dlvm::GradientDeclaration& declaration,
                    std::vector<dlvm::MissingDerivative> missing, dlvm::Diagnostics& diagnostics);

}  // namespace frontend::derivatives
