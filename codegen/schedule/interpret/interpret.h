#pragma once

#include <optional>
#include <span>
#include <string>

#include "codegen/schedule/ir/schedule.h"

/// The interpreter defines the meaning of schedules. It runs them statement by statement on concrete values
/// and is very slow. Scalars are computed as in kernels (kernel/interpret/evaluate.h). Memory is flat, is
/// addressed through the buffers' layouts, and begins as NaN.
///   - The lanes of a vector loop run one after the other, each with its own registers.
///   - The blocks of a grid run one after the other, and in each block one thread after the other up to the
///     point where it waits for others. A thread also runs the statements outside of thread loops, on its own
///     registers.
///   - An asynchronous copy happens at the wait for its group. A pipeline is a serial loop.
///   - `seed` selects the order of blocks, threads and lanes: 0 forwards, 1 backwards, any other shuffled. A
///     correct schedule gives the same bits with every seed.
/// Errors have the kernel's name. The interpreter finds a failed check, a violated invariant
/// (verify/verify.h), an access outside of a buffer, an undefined value or memory, two threads that touch an
/// element without a barrier in between if one of them writes, an element that is touched while an
/// asynchronous copy to it is pending, and threads that wait for others that never come. It does not run role
/// loops.
namespace codegen::schedule {

/// Runs the schedule on the elements of its arguments, which it changes. Returns the error, or nothing if
/// there is none.
std::optional<std::string> interpret(const Schedule& schedule, std::span<dlvm::Tensor> arguments,
                                     const Extent::Bindings& dimensions, std::uint32_t seed = 0);

}  // namespace codegen::schedule
