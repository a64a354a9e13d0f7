#pragma once

#include <optional>
#include <span>
#include <string>

#include "codegen/schedule/ir/schedule.h"

/// The meaning of schedules: runs them statement by statement on concrete values, very slow. Scalars are
/// computed as in kernels (kernel/interpret/evaluate.h); memory is flat, through the buffers' layouts, and
/// begins as NaN.
///   - Lanes of a vector loop run one after the other, each with its own registers.
///   - Blocks of a grid run one after the other; of each, one thread after the other up to where it waits for
///     others. A thread runs what stands outside of thread loops just as inside, on its own registers.
///   - An asynchronous copy happens at the wait that it is waited for by. A pipeline is a serial loop.
///   - The order of blocks, of threads and of lanes follows from `seed`: 0 forwards, 1 backwards, all others
///     shuffled. A correct schedule gives the same bits with all.
/// Errors, with the kernel's name: a check that failed; an invariant (verify/verify.h) that does not hold; an
/// access outside of a buffer; a value, or memory, that is not there; two threads that touch an element with
/// no barrier between, where one writes; an element that is touched while a copy to it is under way; threads
/// that wait for others that do not come. Role loops have no meaning here.
namespace codegen::schedule {

/// On its arguments' elements, which it changes. Nothing, or the error.
std::optional<std::string> interpret(const Schedule& schedule, std::span<dlvm::Tensor> arguments,
                                     const Extent::Bindings& dimensions, std::uint32_t seed = 0);

}  // namespace codegen::schedule
