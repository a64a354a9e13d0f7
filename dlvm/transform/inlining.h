#pragma once

#include "dlvm/ir/module.h"

namespace dlvm {

/// INL. Afterwards a call is left only where the callee is external, a gradient declaration, recursive, has
/// several blocks or does not fit the arguments' shapes, or where the caller would grow over the limit.
/// Requirements of what was inlined are the caller's. An inlined instruction has its own locations and then
/// the call's.
bool inlining(Module& module);

/// Instructions that a function may grow to; calls beyond it stay calls, so that no nest of functions that
/// each call the next twice exhausts memory.
inline constexpr std::size_t inlining_limit = 200'000;

}  // namespace dlvm
