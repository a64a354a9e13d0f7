#include "runtime/cuda/process.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/cuda/code.h"
#include "runtime/cuda/control.h"
#include "runtime/cuda/graphs.h"

namespace runtime::cuda {

Process process = {PTHREAD_MUTEX_INITIALIZER, 0, nullptr, {}, nullptr};

namespace {

bool is_open() { return __atomic_load_n(&process.open, __ATOMIC_ACQUIRE) != 0; }

/// With the lock. A table that is filled already, by a test, is only started.
int32_t open_driver_once(tel_error* error, const char* where) {
  if (is_open()) return TEL_OK;
  Driver driver = process.driver;
  void* library = nullptr;
  if (const int32_t status =
          driver.cuInit ? start_driver(driver, error, where) : open_driver(driver, library, error, where))
    return status;
  process.driver = driver;
  process.library = library;
  __atomic_store_n(&process.open, 1, __ATOMIC_RELEASE);
  return TEL_OK;
}

int32_t no_such_device(const Calls& calls, int64_t count) {
  Failure failure = calls.fail(TEL_DEVICE);
  failure.text() << "there is no such device; this machine has " << count << " (0";
  if (count > 1) failure.text() << " to " << count - 1;
  failure.text() << ")";
  return failure;
}

/// With the lock.
int32_t open_device(const Calls& calls, Device*& opened) {
  Device device{};
  if (const int32_t status = describe(calls, device)) return status;
  auto* made = static_cast<Device*>(calloc(1, sizeof(Device) + sizeof(Graphs)));
  if (!made) return calls.no_memory();
  if (const int32_t status = calls(&Driver::cuDevicePrimaryCtxRetain, &device.context, device.handle)) {
    free(made);
    return status;
  }
  *made = device;
  made->graphs = reinterpret_cast<Graphs*>(made + 1);
  push(process.devices, made);
  opened = made;
  return TEL_OK;
}

Device* find(int32_t ordinal) {
  Device* device = first(process.devices);
  while (device && device->ordinal != ordinal) device = device->next;
  return device;
}

}  // namespace

int32_t describe(const Calls& calls, Device& device) {
  int32_t count = 0, major = 0, minor = 0, shared = 0;
  if (const int32_t status = calls(&Driver::cuDeviceGetCount, &count)) return status;
  device.ordinal = calls.ordinal();
  if (device.ordinal < 0 || device.ordinal >= count) return no_such_device(calls, count);
  if (const int32_t status = calls(&Driver::cuDeviceGet, &device.handle, device.ordinal)) return status;
  const auto ask = [&](DeviceAttribute attribute, int32_t& value) {
    return calls(&Driver::cuDeviceGetAttribute, &value, attribute, device.handle);
  };
  if (const int32_t status = ask(compute_capability_major, major)) return status;
  if (const int32_t status = ask(compute_capability_minor, minor)) return status;
  if (const int32_t status = ask(shared_memory_limit, shared)) return status;
  device.architecture = 10 * major + minor;
  device.shared_limit = shared;
  return TEL_OK;
}

int32_t open_process(tel_error* error, const char* where) {
  if (is_open()) return TEL_OK;
  const Lock lock;
  return open_driver_once(error, where);
}

int32_t find_device(int32_t ordinal, tel_error* error, const char* where, Device*& device) {
  device = find(ordinal);
  if (device) return TEL_OK;
  const Lock lock;
  if (const int32_t status = open_driver_once(error, where)) return status;
  device = find(ordinal);
  return device ? static_cast<int32_t>(TEL_OK)
                : open_device(Calls(process.driver, error, where, ordinal), device);
}

void close_process() {
  const Lock lock;
  const Driver& driver = process.driver;
  while (Device* device = process.devices) {
    process.devices = device->next;
    Context popped;
    if (driver.cuCtxPushCurrent(device->context) == 0) {
      forget_graphs(driver, *device);
      unload_control(driver, *device);
      unload_code(driver, *device);
      driver.cuCtxPopCurrent(&popped);
    }
    driver.cuDevicePrimaryCtxRelease(device->handle);
    free(device);
  }
  if (process.library) dlclose(process.library);
  memset(&process.driver, 0, sizeof process.driver);
  process.library = nullptr;
  process.open = 0;
}

}  // namespace runtime::cuda
