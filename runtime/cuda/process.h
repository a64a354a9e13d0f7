/// The state that all networks of a program share: the driver, and the code and data loaded onto its devices.
/// It is made on first use and kept. A failure leaves nothing behind, and the next call tries again.
#pragma once

#include <pthread.h>

#include "runtime/cuda/driver.h"

namespace runtime::cuda {

/// The code of a network on one device.
struct Loaded {
  Loaded* next;
  const DeviceCode* code;
  const Image* image;  ///< the image that was loaded; null if the driver accepts none
  Module* modules;     ///< the modules of the image's parts, in order; they follow this struct in memory
  int64_t module_count;
  char refusals[256];         ///< if there is no image, the driver's messages about each
  Function copy_words;        ///< tel_words
  Function update;            ///< tel_update
  Function combine[f64 + 1];  ///< the kernel tel_combine_… of each element type, or null if there is none
  Function* kernels;          ///< the kernels of `code`, in order; they follow this struct in memory
};

/// An entry's program on one device.
struct Ready {
  Ready* next;
  const DeviceProgram* program;
  const Loaded* loaded;
  Address memory;     ///< the memory of the literals; 0 if there are none
  Address* literals;  ///< the literals of the program, in order; they follow this struct in memory
};

struct Graphs;

/// A device in use. Its lists grow at their heads and lose no elements, so they can be read without a lock.
struct Device {
  Device* next;
  int32_t ordinal;
  int32_t architecture;  ///< 90 for sm_90
  int64_t shared_limit;  ///< bytes of shared memory of a block
  DeviceHandle handle;
  Context context;  ///< the device's primary one, which CUDA's own runtime uses too
  Loaded* loaded;
  Ready* ready;
  Graphs* graphs;          ///< it follows this struct in memory
  int32_t control_sought;  ///< 1: the members below are final
  int32_t has_two_bodies;  ///< 1: an IF node may have a second body, for 0
  Module control_module;
  Function control;           ///< tel_control (control.h), or null if the device decides no conditions
  char control_refusal[256];  ///< if there is no kernel, why
};

/// The driver and the devices in use.
struct Process {
  pthread_mutex_t lock;  ///< held by what changes the rest
  int32_t open;          ///< 1: `driver` is filled and started
  void* library;         ///< the handle from dlopen; null if a test filled the table
  Driver driver;
  Device* devices;
};

/// The one Process of all objects that are linked together; it is weak and hidden for that. Its name has a
/// number that changes with the layout of these structs.
extern Process process __asm__("tel.cuda.5") __attribute__((weak, visibility("hidden")));

/// Holds the process's lock.
class Lock {
 public:
  Lock() { pthread_mutex_lock(&process.lock); }
  ~Lock() { pthread_mutex_unlock(&process.lock); }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;
};

/// Return the head of a list without the lock, and add an element at it with the lock held.
template <typename T>
T* first(T* const& list) {
  return __atomic_load_n(&list, __ATOMIC_ACQUIRE);
}
template <typename T>
void push(T*& list, T* made) {
  made->next = list;
  __atomic_store_n(&list, made, __ATOMIC_RELEASE);
}

/// Opens the driver unless it is open. Returns a status.
int32_t open_process(tel_error* error, const char* where);

/// Sets `device` to the device of that number, which is opened on first use. Returns a status.
int32_t find_device(int32_t ordinal, tel_error* error, const char* where, Device*& device);

/// Sets the number, handle, architecture and limits of a device whose ordinal is that of `calls`. Returns a
/// status.
int32_t describe(const Calls& calls, Device& device);

/// Releases everything: code, literals, graphs, contexts, the driver. No call may be under way.
void close_process();

}  // namespace runtime::cuda
