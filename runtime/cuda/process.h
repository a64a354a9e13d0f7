/// What all networks of a program share: the driver, and what was loaded onto its devices. Made on first use
/// and kept; a failure leaves nothing behind, and the next call tries again.
#pragma once

#include <pthread.h>

#include "runtime/cuda/driver.h"

namespace runtime::cuda {

/// The code of a network on one device.
struct Loaded {
  Loaded* next;
  const DeviceCode* code;
  const Image* image;  ///< that was loaded; null: the driver takes none
  Module* modules;     ///< of the image's parts, in order; behind this struct
  int64_t module_count;
  char refusals[256];         ///< where there is no image: of each what the driver said
  Function words;             ///< tel_words
  Function combine[f64 + 1];  ///< tel_combine_… of an element type; null where there is none
  Function* kernels;          ///< of `code`, in order; behind this struct
};

/// An entry's program on one device.
struct Ready {
  Ready* next;
  const DeviceProgram* program;
  const Loaded* loaded;
  Address memory;     ///< of the literals; 0 where there are none
  Address* literals;  ///< of the program, in order; behind this struct
};

struct Graphs;

/// A device in use. Lists grow at their head and lose nothing, so that they are read without a lock.
struct Device {
  Device* next;
  int32_t ordinal;
  int32_t architecture;  ///< 90 for sm_90
  int64_t shared_limit;  ///< bytes of shared memory of a block
  DeviceHandle handle;
  Context context;  ///< the device's primary one, which CUDA's own runtime uses too
  Loaded* loaded;
  Ready* ready;
  Graphs* graphs;  ///< behind this struct
};

struct Process {
  pthread_mutex_t lock;  ///< held by what changes the rest
  int32_t open;          ///< 1: `driver` is filled and started
  void* library;         ///< of dlopen; null where a test filled the table
  Driver driver;
  Device* devices;
};

/// Weak and hidden: one for all objects that are linked together. Its name has a number that changes with the
/// layout of these structs.
extern Process process __asm__("tel.cuda.3") __attribute__((weak, visibility("hidden")));

class Lock {
 public:
  Lock() { pthread_mutex_lock(&process.lock); }
  ~Lock() { pthread_mutex_unlock(&process.lock); }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;
};

/// The head of a list, for readers without the lock; and its change, with it.
template <typename T>
T* first(T* const& list) {
  return __atomic_load_n(&list, __ATOMIC_ACQUIRE);
}
template <typename T>
void push(T*& list, T* made) {
  made->next = list;
  __atomic_store_n(&list, made, __ATOMIC_RELEASE);
}

/// Opens the driver where it is not open yet.
int32_t open_process(tel_error* error, const char* where);

/// The device of that number, opened on first use.
int32_t find_device(int32_t ordinal, tel_error* error, const char* where, Device*& device);

/// Number, handle, architecture and limits of a device, whose ordinal is that of `calls`.
int32_t describe(const Calls& calls, Device& device);

/// Gives everything back: code, literals, graphs, contexts, the driver. Nothing may be under way.
void close_process();

}  // namespace runtime::cuda
