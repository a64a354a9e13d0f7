// The devices of the machine and their memory, for programs: `tel_cuda`.
#include <string.h>

#include "runtime/call/call.h"
#include "runtime/cuda/combine.h"
#include "runtime/cuda/work.h"

namespace runtime::cuda {
namespace {

constexpr const char* where = "tel::cuda";

/// Runs `step(calls, stream)` on the execution's device. What `waits` is done when this returns, unless the
/// execution is `later`; also where a step fails.
template <typename Step>
int32_t on_device(const tel_execution* given, bool waits, tel_error* error, Step step) {
  tel_execution execution;
  if (!copy_execution(execution, given) || execution.kind != TEL_CUDA) {
    Failure failure(error, TEL_INVALID_ARGUMENT, where);
    failure.text() << "the execution is not on a GPU";
    return failure;
  }
  Device* device = nullptr;
  if (const int32_t status = find_device(execution.device, error, where, device)) return status;
  const Calls calls(process.driver, error, where, device->ordinal);
  const int32_t status = calls.within(device->context, [&] {
    auto* const stream = static_cast<Stream>(execution.stream);
    const int32_t done = step(calls, stream);
    if (done != TEL_OK || !waits || execution.later) return done;
    return calls(&Driver::cuStreamSynchronize, stream);
  });
  return status != TEL_OK ? status : success(error);
}

int32_t count(int32_t* number, tel_error* error) {
  *number = 0;
  if (const int32_t status = open_process(error, where)) return status;
  const int32_t status = Calls(process.driver, error, where)(&Driver::cuDeviceGetCount, number);
  return status != TEL_OK ? status : success(error);
}

int32_t describe(int32_t number, tel_device* device, tel_error* error) {
  if (device->size != sizeof *device) {
    Failure failure(error, TEL_INVALID_ARGUMENT, where);
    failure.text() << "the size of the tel_device is wrong: set it to sizeof(tel_device)";
    return failure;
  }
  if (const int32_t status = open_process(error, where)) return status;
  const Calls calls(process.driver, error, where, number);
  Device found{};
  if (const int32_t status = describe(calls, found)) return status;
  memset(device, 0, sizeof *device);
  device->size = sizeof *device;
  device->number = number;
  device->architecture = found.architecture;
  size_t bytes = 0;
  if (const int32_t status = calls(&Driver::cuDeviceTotalMem, &bytes, found.handle)) return status;
  device->memory = bytes;
  constexpr auto room = static_cast<int32_t>(sizeof device->name - 1);
  const int32_t status =
      calls(&Driver::cuDeviceGetName, static_cast<char*>(device->name), room, found.handle);
  return status != TEL_OK ? status : success(error);
}

int32_t allocate(const tel_execution* execution, size_t bytes, void** memory, tel_error* error) {
  *memory = nullptr;
  return on_device(execution, false, error, [&](const Calls& calls, Stream) {
    Address made = 0;
    if (bytes == 0) return static_cast<int32_t>(TEL_OK);
    const int32_t status = calls.allocate(made, bytes > INT64_MAX ? INT64_MAX : static_cast<int64_t>(bytes));
    *memory = reinterpret_cast<void*>(made);
    return status;
  });
}

int32_t free(const tel_execution* execution, void* memory, tel_error* error) {
  if (!memory) return success(error);
  return on_device(execution, false, error, [&](const Calls& calls, Stream) {
    return calls(&Driver::cuMemFree, reinterpret_cast<Address>(memory));
  });
}

int32_t copy(const Calls& calls, Stream stream, void* to, const void* from, size_t bytes) {
  Place target, source;
  if (const int32_t status = find_place(calls, to, "to", target)) return status;
  if (const int32_t status = find_place(calls, from, "from", source)) return status;
  const bool into_host = target == Place::copied, from_host = source == Place::copied;
  const auto to_address = reinterpret_cast<Address>(to), from_address = reinterpret_cast<Address>(from);
  if (into_host && from_host) {
    if (const int32_t status = calls(&Driver::cuStreamSynchronize, stream)) return status;
    memcpy(to, from, bytes);
    return TEL_OK;
  }
  if (into_host) return calls(&Driver::cuMemcpyDtoHAsync, to, from_address, bytes, stream);
  if (from_host) return calls(&Driver::cuMemcpyHtoDAsync, to_address, from, bytes, stream);
  return calls(&Driver::cuMemcpyDtoDAsync, to_address, from_address, bytes, stream);
}

int32_t copy(const tel_execution* execution, void* to, const void* from, size_t bytes, tel_error* error) {
  if (bytes == 0) return success(error);
  return on_device(execution, true, error,
                   [&](const Calls& calls, Stream stream) { return copy(calls, stream, to, from, bytes); });
}

int32_t clear(const tel_execution* execution, void* memory, size_t bytes, tel_error* error) {
  if (bytes == 0) return success(error);
  return on_device(execution, true, error, [&](const Calls& calls, Stream stream) {
    return calls(&Driver::cuMemsetD8Async, reinterpret_cast<Address>(memory), static_cast<unsigned char>(0),
                 bytes, stream);
  });
}

int32_t wait(const tel_execution* execution, tel_error* error) {
  return on_device(execution, false, error, [&](const Calls& calls, Stream stream) {
    return calls(&Driver::cuStreamSynchronize, stream);
  });
}

}  // namespace
}  // namespace runtime::cuda

using namespace runtime;
using namespace runtime::cuda;

const tel_cuda_functions tel_cuda = {sizeof tel_cuda, count, describe, allocate, free, copy, clear, wait};

extern "C" int32_t tel_cuda_combine(const Combination& combination) {
  const Devices& devices = *combination.devices;
  return on_device(&combination.execution, true, combination.error, [&](const Calls& calls, Stream stream) {
    Device* device = nullptr;
    if (const int32_t status = find_device(calls.ordinal(), combination.error, where, device)) return status;
    const Ready* ready = nullptr;
    if (const int32_t status = make_ready(calls, *device, devices, stream, ready)) return status;
    return combine(calls, *ready->loaded, combination.store, reinterpret_cast<Address>(combination.to),
                   combination.a, reinterpret_cast<Address>(combination.from), combination.b, stream);
  });
}
