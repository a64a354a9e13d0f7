#pragma once

#include "dlvm/ir/module.h"

namespace dlvm {

/// The pass INL. Afterwards the functions that entry points and initializers reach (all functions, if there
/// are none) contain a call only if the callee is external, a gradient declaration, recursive or does not
/// fit the arguments' shapes, if it is shared (analysis/shared_functions.h) and the caller neither shared
/// itself nor with control flow, or if it is not small and does not fit: where inlining all that a function
/// calls would exceed the limit, only small callees are inlined in it and in what it calls. The call of a
/// function of several blocks splits the block that it stands in. A function that is no longer called is
/// unchanged. Requirements of an inlined callee become the caller's. An inlined instruction has its own
/// locations, followed by those of the call.
bool inlining(Module& module);
/// Runs INL with a limit on the number of instructions by which the module may grow.
bool inlining(Module& module, std::size_t limit);

/// The number of instructions that a module may grow by. They are counted before anything is copied, and
/// calls beyond the limit stay calls, so that functions that each call the next one twice cannot exhaust
/// memory. A network of a hundred blocks has some ten thousand instructions.
inline constexpr std::size_t inlining_limit = 200'000;

}  // namespace dlvm
