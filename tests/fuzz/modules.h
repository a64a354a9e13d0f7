#pragma once

#include <cstdint>
#include <memory>

#include "dlvm/ir/module.h"

/// Random legal modules with all that a text may hold: the bodies of the other generators, of constant and of
/// symbolic extents, with and without blocks; names that need quotes, locations, attributes, requirements,
/// erased extents, gradient declarations, stored tensors and entry points. The same seed gives the same.
namespace fuzz {

/// The locations in the module refer to files that are added to `sources`.
std::unique_ptr<dlvm::Module> random_module(std::uint64_t seed, dlvm::Sources& sources);

}  // namespace fuzz
