#pragma once

#include <memory>
#include <vector>

#include "codegen/schedule/interpret/memory.h"

/// One launch on memory that outlives it: what the interpreters of schedules and of programs share.
namespace codegen::schedule::machine {

/// The memory of each argument, in their order.
using Memories = std::vector<std::shared_ptr<Memory>>;

/// Runs the schedule on its arguments' memory, in the order of `seed` (interpret.h); errors go to `run`.
void launch(kernel::Run& run, const Schedule& schedule, const Memories& arguments, std::uint32_t seed);

std::shared_ptr<Memory> memory_of(const dlvm::Tensor& tensor);
void copy(const Memory& memory, dlvm::Tensor& tensor);

}  // namespace codegen::schedule::machine
