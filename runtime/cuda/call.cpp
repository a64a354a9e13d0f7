#include "runtime/cuda/graphs.h"
#include "runtime/cuda/work.h"
#include "runtime/entry.h"

namespace runtime::cuda {
namespace {

/// Whether the caller left the device to the environment: then the caller's workspace is the processor's.
bool is_chosen(const Call& call) { return !call.options.execution; }

/// Whether the caller's workspace is the processor's. It then holds the outputs left to it, and the call
/// takes a workspace of its own on the device. `place` is that of a workspace that is not null.
int32_t find_workspace(const Work& work, Place& place) {
  place = Place::copied;
  if (is_chosen(work.call)) return TEL_OK;
  const void* workspace = work.call.member<const void*>(work.call.entry.workspace_offset);
  return find_place(work.calls, workspace, "workspace", place);
}

int32_t check_stream(Work& work) {
  if (!work.stream) return TEL_OK;
  int32_t state = stream_not_capturing;
  if (const int32_t status = work.calls(&Driver::cuStreamIsCapturing, work.stream, &state)) return status;
  work.capturing = state != stream_not_capturing;
  if (!work.capturing || work.call.execution.later) return TEL_OK;
  Failure failure = work.calls.fail(TEL_INVALID_ARGUMENT);
  failure.text()
      << "the stream is being captured, and a call that waits cannot be: make it one that returns at once";
  return failure;
}

int32_t check_reads(const Work& work) {
  if (!work.ready->program->reads) return TEL_OK;
  if (!work.capturing) return check_conditions(work);
  Failure failure = work.calls.fail(TEL_INVALID_ARGUMENT);
  failure.text()
      << "the stream is being captured, and the function has branches or loops that wait for values";
  return failure;
}

int32_t find_program(Work& work) {
  const Devices& devices = *work.call.entry.devices;
  work.ready = find_ready(work.device, devices);
  if (work.ready) return check_reads(work);
  if (!work.capturing) {
    const int32_t status = make_ready(work.calls, work.device, devices, work.stream, work.ready);
    return status != TEL_OK ? status : check_reads(work);
  }
  Failure failure = work.calls.fail(TEL_DEVICE);
  failure.text()
      << "the code is not loaded yet, and cannot be while the stream is captured: make one call before";
  return failure;
}

/// Workspace in the processor's memory for the outputs left to it.
int32_t place_outputs(const Call& call) {
  Placement measure{0, nullptr, nullptr, 0, nullptr, false};
  if (!place(call, call.options.seed, measure)) return size_failure(call);
  if (const int32_t status = check_workspace(call, measure.size)) return status;
  Placement placement{0, nullptr, call.member<char*>(call.entry.workspace_offset), 0, nullptr, false};
  place(call, call.options.seed, placement);
  return TEL_OK;
}

int32_t compute(const Work& work, int64_t* block, bool repeats) {
  if (const int32_t status = copy_in(work)) return status;
  if (const int32_t status = launch(work, block, repeats)) return status;
  if (const int32_t status = copy_out(work)) return status;
  return work.call.execution.later ? static_cast<int32_t>(TEL_OK) : finish(work);
}

/// After a failure nothing in the stream uses the caller's memory any more.
int32_t stop_on_failure(const Work& work, int32_t status) {
  if (status != TEL_OK && status != TEL_INDEX && !work.capturing)
    work.calls.driver().cuStreamSynchronize(work.stream);
  return status;
}

int32_t compute_or_stop(const Work& work, bool repeats) {
  const size_t words = static_cast<size_t>((work.layout.block_words + argument_chunk_words - 1) /
                                           argument_chunk_words * argument_chunk_words);
  auto* block = static_cast<int64_t*>(__builtin_alloca(sizeof(int64_t) * words));
  return stop_on_failure(work, compute(work, block, repeats));
}

/// Lays the call out at the workspace, the caller's or `own`.
int32_t lay_out(Work& work, Address workspace) {
  return lay_out(work.call, *work.ready->program, work.places, workspace, work.layout)
             ? static_cast<int32_t>(TEL_OK)
             : size_failure(work.call);
}

int32_t run_in_callers_workspace(Work& work) {
  if (const int32_t status = find_places(work.call, work.calls, true, work.places)) return status;
  if (work.capturing)
    if (const int32_t status = check_captured(work.call, work.calls, work.places)) return status;
  if (const int32_t status = lay_out(work, work.call.member<Address>(work.call.entry.workspace_offset)))
    return status;
  if (const int32_t status = check_workspace(work.call, work.layout.size)) return status;
  const Entry& entry = work.call.entry;
  for (int64_t i = 0; i < entry.field_count; ++i)
    if (!entry.fields[i].by_value && work.places.fields[i] == Place::workspace)
      work.call.member<Address>(entry.fields[i].offset) = work.layout.fields[i];
  return compute_or_stop(work, !work.capturing);
}

int32_t run_in_own_workspace(Work& work) {
  if (work.call.execution.later) {
    Failure failure = work.calls.fail(TEL_WORKSPACE);
    failure.text() << "the workspace of a call that returns at once must be in the device's memory";
    return failure;
  }
  if (const int32_t status = place_outputs(work.call)) return status;
  if (const int32_t status = find_places(work.call, work.calls, false, work.places)) return status;
  if (const int32_t status = lay_out(work, 0)) return status;
  Address memory = 0;
  if (const int32_t status = work.calls.allocate(memory, work.layout.size)) return status;
  lay_out(work, memory);
  const int32_t status = compute_or_stop(work, false);
  const Code code = work.calls.driver().cuMemFree(memory);
  return status != TEL_OK ? status : work.calls.result(code, &Driver::cuMemFree);
}

int32_t run(Work& work) {
  if (const int32_t status = check_stream(work)) return status;
  if (const int32_t status = find_program(work)) return status;
  const auto fields = static_cast<size_t>(work.call.entry.field_count);
  const auto slots = static_cast<size_t>(work.ready->program->slot_count);
  work.places.fields = static_cast<Place*>(__builtin_alloca(fields * sizeof(Place) + 1));
  work.layout.fields = static_cast<Address*>(__builtin_alloca((fields + slots + 1) * sizeof(Address)));
  work.layout.slots = work.layout.fields + fields;
  Place workspace;
  if (const int32_t status = find_workspace(work, workspace)) return status;
  return workspace == Place::copied ? run_in_own_workspace(work) : run_in_callers_workspace(work);
}

/// Runs `step` on the call's device.
template <typename Step>
int32_t on_device(Call& call, Step step) {
  Device* device = nullptr;
  if (const int32_t status = find_device(call.execution.device, call.error, call.entry.name, device))
    return status;
  const Calls calls(process.driver, call.error, call.entry.name, device->ordinal);
  Work work{call, calls, *device, static_cast<Stream>(call.execution.stream), false, nullptr, {}, {}};
  const int32_t status = calls.within(device->context, [&] { return step(work); });
  return status != TEL_OK ? status : success(call.error);
}

/// The largest workspace of the object's programs.
int32_t measure(const Call& call, const Places& places, int64_t& size) {
  const Devices& devices = *call.entry.devices;
  size = 0;
  for (int64_t i = 0; i < devices.program_count; ++i) {
    const DeviceProgram& program = devices.programs[i];
    const auto count = static_cast<size_t>(call.entry.field_count + program.slot_count + 1);
    Layout layout{};
    layout.fields = static_cast<Address*>(__builtin_alloca(count * sizeof(Address)));
    layout.slots = layout.fields + call.entry.field_count;
    if (!lay_out(call, program, places, 0, layout)) return size_failure(call);
    if (layout.size > size) size = layout.size;
  }
  return TEL_OK;
}

}  // namespace
}  // namespace runtime::cuda

using namespace runtime;
using namespace runtime::cuda;

extern "C" {

int32_t tel_cuda_call(Call& call) { return on_device(call, run); }

int32_t tel_cuda_workspace(const Call& call, bool every_output, int64_t& size) {
  Places places{};
  places.fields =
      static_cast<Place*>(__builtin_alloca(static_cast<size_t>(call.entry.field_count) * sizeof(Place) + 1));
  if (is_chosen(call)) {
    Placement placement{0, nullptr, nullptr, 0, nullptr, every_output};
    if (!place(call, call.options.seed, placement)) return size_failure(call);
    size = placement.size;
    return TEL_OK;
  }
  if (every_output) {
    assume_places(call, places);
    return measure(call, places, size);
  }
  return on_device(const_cast<Call&>(call), [&](Work& work) {
    if (const int32_t status = find_places(call, work.calls, true, places)) return status;
    return measure(call, places, size);
  });
}

int32_t tel_cuda_wait(Call& call) {
  return on_device(call, [&](Work& work) {
    const Entry& entry = call.entry;
    work.layout.record = call.member<Address>(entry.workspace_offset);
    work.layout.result_words = record_words;
    for (int64_t i = 0; i < entry.field_count; ++i)
      if (entry.fields[i].by_value && entry.fields[i].output) work.layout.result_words += scalar_words;
    return stop_on_failure(work, finish(work));
  });
}

}  // extern "C"
