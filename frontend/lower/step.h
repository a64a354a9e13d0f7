// The entry point `step`: what the derivatives make of the parameters.
#pragma once

#include <vector>

#include "frontend/lower/body.h"

namespace frontend::lower {

struct StepParts {
  const check::Optimizer& optimizer;
  const check::Entry& entry;       ///< with the arguments of the updates among its results
  const dlvm::Function& gradient;  ///< (given, seed) -> (derivatives, results)
  const std::vector<const Declaration*>& given;
  bool draws;  ///< there is a seed
};

/// Returns the states that are the optimizer's memory, in the order in which `step` takes them.
std::vector<const Declaration*> memory_of(const check::Optimizer& optimizer);
/// Returns what is updated: the parameters, and the memory.
std::vector<const Declaration*> updated(const check::Optimizer& optimizer);

/// Makes the function (given, memory, seed) -> (results without those arguments, updated).
dlvm::Function* lower_step(const StepParts& parts, Functions& functions);

}  // namespace frontend::lower
