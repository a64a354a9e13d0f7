#pragma once

#include <memory>
#include <vector>

#include "codegen/kernel/build/build.h"
#include "codegen/kernel/build/outline.h"

namespace codegen::kernel {

/// A function in two parts. Callers put some of its results in the place of parameters; those that replace
/// elements of their parameter are left to the second part, which takes time for these elements alone.
struct PartedFunction {
  /// Computes the other results, and behind these what the second part takes. All that may fail is here.
  std::unique_ptr<dlvm::Function> first;
  std::vector<std::uint32_t> results;  ///< the results of the whole function among the first part's

  /// Takes first the parameters that it updates, then the last results of the first part, and returns what
  /// the parameters become.
  std::unique_ptr<dlvm::Function> second;
  std::vector<NextValue> updates;  ///< for each parameter of `second` that it updates, whose result it is
  /// For each parameter of `second`, whether it has been checked for all axes of which it is the index.
  std::vector<bool> checked;
};

/// Returns the parts of a function of which callers put these results in the place of parameters. A result is
/// computed in the second part if it is made of its parameter by scatters and nothing else uses it. Returns
/// nothing where there is none.
///
/// The second part reads nothing but the parameters that it updates and what the first part has written: so
/// all reads of the old values have ended, also of memory that the caller has for an input as well, and
/// states that are made of each other are right.
std::optional<PartedFunction> part_in_place_results(const dlvm::Function& function,
                                                    const std::vector<NextValue>& next_values);

/// Returns the program of the whole function, from those of its parts. In `second`, launches update the
/// parameters.
Program join_parts(const dlvm::Function& function, const PartedFunction& parts, Program first,
                   Program second);

}  // namespace codegen::kernel
