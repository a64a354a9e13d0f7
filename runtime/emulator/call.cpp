#include "runtime/call/call.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/emulator/emulator.h"
#include "runtime/emulator/memory.h"
#include "runtime/support/extent.h"

namespace runtime::emulator {
namespace {

/// The device's side of a call: where `launch` of a queue goes.
struct Queue : tel_queue {
  Session* session;
};

int32_t launch_grid(tel_queue* queue, int64_t kernel, int64_t blocks, const int32_t* argument_slots) {
  return launch(*static_cast<Queue*>(queue)->session, kernel, blocks, argument_slots);
}

int32_t read_condition(tel_queue* queue, int32_t argument_slot, int32_t* value) {
  *value = condition(*static_cast<Queue*>(queue)->session, argument_slot);
  return TEL_OK;
}

Buffer bound(const Call& call, const Binding& binding) {
  const Entry& entry = call.entry;
  Buffer buffer{argument, binding.index, nullptr, nullptr, sizeof(int64_t)};
  const Tensor* tensor = nullptr;
  switch (static_cast<BindingKind>(binding.kind)) {
    case bind_field:
      tensor = &entry.fields[binding.index].tensor;
      break;
    case bind_parameter:
    case bind_gradient:
    case bind_trained:
    case bind_updated_parameter:
      tensor = &entry.parameters->tensors[binding.index];
      break;
    case bind_constant:
      tensor = &entry.constants->tensors[binding.index];
      break;
    case bind_state:
    case bind_next:
    case bind_updated:
    case bind_updated_alone:
      tensor = &entry.state->tensors[binding.index];
      break;
    case bind_dimension:
      buffer.name = entry.dimensions[binding.index].name;
      break;
    case bind_seed:
      buffer.name = "seed";
      break;
    case bind_frozen:
      break;  // only the processor reads it
  }
  if (tensor) {
    buffer.name = tensor->name;
    bytes_of(*tensor, call.dims, buffer.size);
  }
  return buffer;
}

/// Arguments, results, slots, literals: all that words point to.
void list_buffers(const Call& call, const DeviceProgram& program, void* const* memory, Buffer* buffers) {
  const Entry& entry = call.entry;
  Buffer* next = buffers;
  for (int64_t i = 0; i < entry.code.argument_count; ++i) *next++ = bound(call, entry.code.arguments[i]);
  for (int64_t i = 0; i < entry.result_count; ++i) {
    *next = bound(call, entry.results[i]);
    next++->kind = is_updated(entry.results[i]) ? updated : result;
  }
  for (int64_t i = 0; i < program.slot_count; ++i) {
    *next = {slot, static_cast<int32_t>(i), nullptr, nullptr, 0};
    bytes_of(program.slots[i], call.dims, next++->size);
  }
  for (Buffer* buffer = buffers; buffer != next; ++buffer) buffer->memory = static_cast<char*>(*memory++);
  for (int64_t i = 0; i < program.literal_count; ++i) {
    const Literal& one = program.literals[i];
    auto* data = const_cast<char*>(static_cast<const char*>(one.data));
    *next++ = {literal, static_cast<int32_t>(i), nullptr, data, one.size};
  }
}

/// Memory for what is not aligned as a device's memory is, which is copied there and, what is a result, back.
struct Staging {
  char* memory = nullptr;
  int64_t size = 0;
  char** callers = nullptr;  ///< of each buffer: its memory, null where it is used as it is
};

constexpr uintptr_t device_alignment = 16;

/// The part of the staging memory that a buffer takes: it ends before memory that is nobody's.
int64_t staged_size(const Buffer& buffer) { return (buffer.size + 2 * buffer_alignment) & -buffer_alignment; }

bool stage(Staging& staging, Buffer* buffers, int64_t count) {
  for (int64_t i = 0; i < count; ++i) {
    const bool misaligned = reinterpret_cast<uintptr_t>(buffers[i].memory) % device_alignment;
    staging.callers[i] = buffers[i].size > 0 && misaligned ? buffers[i].memory : nullptr;
    if (staging.callers[i]) staging.size += staged_size(buffers[i]);
  }
  if (staging.size == 0) return true;
  staging.memory = map<char>(static_cast<size_t>(staging.size));
  if (!staging.memory) return false;
  char* next = staging.memory;
  for (int64_t i = 0; i < count; ++i) {
    if (!staging.callers[i]) continue;
    if (buffers[i].kind != result) memcpy(next, staging.callers[i], static_cast<size_t>(buffers[i].size));
    buffers[i].memory = next;
    next += staged_size(buffers[i]);
  }
  return true;
}

void copy_back(const Staging& staging, const Buffer* buffers, int64_t count) {
  for (int64_t i = 0; i < count; ++i)
    if (staging.callers[i] && buffers[i].kind == result)
      memcpy(staging.callers[i], buffers[i].memory, static_cast<size_t>(buffers[i].size));
}

void append_counters(const char* path, const Call& call, const DeviceCode& code, const Session& session) {
  const int file = ::open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (file < 0) return;
  for (int64_t i = 0; i < code.kernel_count; ++i) {
    const Counters& one = counters(session, i);
    if (one.grids == 0) continue;
    char line[512];
    Text text(line, sizeof line);
    text << call.entry.name << ' ' << code.kernels[i].name << ": grids " << one.grids << ", blocks "
         << one.blocks << ", bytes read " << one.read << ", bytes written " << one.written << ", wavefronts "
         << one.wavefronts << ", conflicts " << one.conflicts << ", uncounted " << one.uncounted
         << ", products " << one.products << '\n';
    if (write(file, line, strlen(line)) < 0) break;
  }
  ::close(file);
}

int32_t run(Call& call, const DeviceProgram& program, Session& session) {
  Queue queue{{launch_grid, read_condition}, &session};
  if (const int32_t status = program.enqueue(call.dims, &queue)) return status;
  const IndexRecord& record = index_record(session);
  if (record.site != 0) return index_failure(call, record.site, record.value, record.position);
  return finish(session);
}

}  // namespace
}  // namespace runtime::emulator

using namespace runtime;
using namespace runtime::emulator;

extern "C" int32_t tel_emulator_call(Call& call) {
  const Entry& entry = call.entry;
  const DeviceProgram& program = entry.devices->programs[0];
  const int64_t placed = entry.code.argument_count + entry.result_count + program.slot_count;
  const int64_t count = placed + program.literal_count;
  auto** memory = static_cast<void**>(__builtin_alloca(sizeof(void*) * (placed + 1)));
  auto* buffers = static_cast<Buffer*>(__builtin_alloca(sizeof(Buffer) * (count + 1)));
  Placement placement{
      program.slot_count, program.slots, call.member<char*>(entry.workspace_offset), 0, memory, false};
  place(call, call.options.seed, placement);
  list_buffers(call, program, memory, buffers);
  Staging staging;
  staging.callers = static_cast<char**>(__builtin_alloca(sizeof(char*) * (count + 1)));
  Session* session = nullptr;
  if (stage(staging, buffers, count))
    session = open({program.code->kernels, program.code->kernel_count, call.dims, entry.dimension_count,
                    buffers, count, call.execution.order, 0, entry.name, call.error});
  if (!session) {
    unmap(staging.memory, static_cast<size_t>(staging.size));
    Failure failure = call.fail(TEL_MEMORY);
    failure.text() << "no memory for the emulator";
    return failure;
  }
  const int32_t status = run(call, program, *session);
  if (const char* path = getenv("TEL_EMULATOR_COUNTS")) append_counters(path, call, *program.code, *session);
  close(session);
  if (status == TEL_OK) copy_back(staging, buffers, count);
  unmap(staging.memory, static_cast<size_t>(staging.size));
  if (status != TEL_OK) return status;
  if (call.options.accumulate) add_gradients(call, memory);
  update_stores(call, memory);
  return success(call.error);
}
