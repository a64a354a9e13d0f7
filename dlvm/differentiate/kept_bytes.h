#pragma once

#include <cstdint>
#include <optional>

#include "dlvm/ir/module.h"

namespace dlvm {

/// Returns how many bytes the stacks of a function of the module, and of all that it calls, hold at most at
/// one time when they are full: what a derivative keeps between its forward and its reverse part. A stack
/// without a capacity holds `steps` values. Returns nothing where that is not known: a stack has values of
/// several types, or an extent is no number under `dimensions`. If `typical`, other dimensions are taken to
/// be `typical_dimension` (dlvm/analysis/work.h).
std::optional<std::int64_t> kept_bytes(const Module& module, const Function& function, const Extent& steps,
                                       const Extent::Bindings& dimensions, bool typical);

}  // namespace dlvm
