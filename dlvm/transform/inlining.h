#pragma once

#include "dlvm/ir/module.h"

namespace dlvm {

/// INL. Afterwards what entry points and initializers reach (everything, where there are none) holds a call
/// only where the callee is external, a gradient declaration, recursive, has several blocks or does not fit
/// the arguments' shapes, or where the module would grow over the limit. What no call is left of is as it
/// was. Requirements of what was inlined are the caller's. An inlined instruction has its own locations and
/// then the call's.
bool inlining(Module& module);

/// Instructions that a module may grow by; what a call would add is counted before anything is copied, and
/// calls beyond the limit stay calls, so that no nest of functions that each call the next twice exhausts
/// memory.
inline constexpr std::size_t inlining_limit = 2'000'000;

}  // namespace dlvm
