#include "codegen/schedule/interpret/interpret.h"

#include "codegen/schedule/interpret/launch.h"

namespace codegen::schedule {

std::optional<std::string> interpret(const Schedule& schedule, std::span<dlvm::Tensor> arguments,
                                     const Extent::Bindings& dimensions, std::uint32_t seed) {
  kernel::Run run{dimensions, schedule.name, {}, {}};
  machine::Memories memory;
  for (const dlvm::Tensor& argument : arguments) memory.push_back(machine::memory_of(argument));
  machine::launch(run, schedule, memory, seed);
  for (std::size_t i = 0; i < arguments.size(); ++i) machine::copy(*memory[i], arguments[i]);
  return run.error;
}

}  // namespace codegen::schedule
