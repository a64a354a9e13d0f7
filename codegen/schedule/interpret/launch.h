#pragma once

#include <memory>
#include <vector>

#include "codegen/schedule/interpret/memory.h"

/// One launch on memory that outlives it. The interpreters of schedules and of programs share it.
namespace codegen::schedule::machine {

/// The memory of each argument, in their order.
using Memories = std::vector<std::shared_ptr<Memory>>;

/// Runs the schedule on its arguments' memory, in the order that `seed` selects (interpret.h). Errors go to
/// `run`.
void launch(kernel::Run& run, const Schedule& schedule, const Memories& arguments, std::uint32_t seed);

/// Returns memory with the tensor's elements.
std::shared_ptr<Memory> memory_of(const dlvm::Tensor& tensor);
/// Copies the elements in memory to the tensor.
void copy(const Memory& memory, dlvm::Tensor& tensor);

}  // namespace codegen::schedule::machine
