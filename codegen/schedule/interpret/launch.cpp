#include "codegen/schedule/interpret/launch.h"

#include <algorithm>
#include <cstring>

#include "codegen/schedule/interpret/thread.h"
#include "codegen/schedule/verify/verify.h"

namespace codegen::schedule::machine {
namespace {

bool holds(kernel::Run& run, const std::vector<Guard>& guards) {
  return std::all_of(guards.begin(), guards.end(), [&](const Guard& guard) {
    const std::int64_t value = run.extent(guard.value);
    return value >= guard.first && (!guard.end || value < *guard.end);
  });
}

}  // namespace

void launch(kernel::Run& run, const Schedule& schedule, const Memories& arguments, std::uint32_t seed) {
  run.kernel = schedule.name;
  if (auto broken = verify(schedule)) return void(run.error = std::move(broken));
  if (arguments.size() != schedule.arguments) return run.fail("another number of arguments");
  InterpreterRun interpreter(run, schedule, {seed});
  Thread thread(interpreter);
  for (BufferId id = 0; id < arguments.size(); ++id) {
    if (schedule.buffers[id].written) arguments[id]->touches = interpreter.placements[id].touches();
    thread.place(id, arguments[id]);
  }
  const auto variant = std::find_if(schedule.variants.begin(), schedule.variants.end(),
                                    [&](const Variant& variant) { return holds(run, variant.guards); });
  if (variant == schedule.variants.end()) return run.fail("no variant whose guards hold");
  thread.start(variant->body);
  thread.run();
  for (const auto& memory : arguments) memory->touches = nullptr;
}

std::shared_ptr<Memory> memory_of(const dlvm::Tensor& tensor) {
  auto memory = std::make_shared<Memory>(tensor.byte_count());
  std::memcpy(memory->bytes.data(), tensor.data(), tensor.byte_count());
  return memory;
}

void copy(const Memory& memory, dlvm::Tensor& tensor) {
  std::memcpy(tensor.data(), memory.bytes.data(), tensor.byte_count());
}

}  // namespace codegen::schedule::machine
