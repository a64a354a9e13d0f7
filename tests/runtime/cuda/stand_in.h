/// A driver without a GPU: it keeps the rules of the driver's manual that the runtime counts on, and returns
/// an error where they are broken. The memory of its devices is the processor's behind addresses that nobody
/// can follow; streams do their work when they are waited for, not before; copies from pageable memory are
/// taken at once, from page-locked memory late. Kernels are functions of the test.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "runtime/cuda/driver.h"

namespace stand_in {

using namespace runtime::cuda;

/// One grid of a kernel; parameters as the kernel declares them.
struct Grid {
  int64_t blocks, threads, shared;
  void** parameters;

  template <typename T>
  T parameter(int index) const {
    return *static_cast<T*>(parameters[index]);
  }
};

struct Kernel {
  const char* name;
  std::vector<size_t> parameter_sizes;
  void (*run)(const Grid& grid);
};

/// What an image's data points to.
struct ImageData {
  static constexpr uint64_t right = 0x7465732d636f6465;
  uint64_t magic = right;
  std::vector<Kernel> kernels;
  int32_t version = 0;  ///< of the driver that it needs
};

/// tel_words, tel_update and the kernels tel_combine_…, on the processor.
std::vector<Kernel> utilities();

/// The kernels of an image that is no ImageData; none: it is refused.
using ImageReader = std::vector<Kernel> (*)(const void* image);
void set_image_reader(ImageReader reader);

struct DeviceModel {
  int32_t architecture;
  int32_t shared_limit = 100 << 10;
  int64_t memory = 1 << 24;  ///< bytes; more is CUDA_ERROR_OUT_OF_MEMORY
};

/// A fresh driver of these devices: nothing of an earlier one is left.
void start(std::vector<DeviceModel> devices);
/// The same, the runtime's own state included.
void reset(std::vector<DeviceModel> devices = {{90}});

/// Of the driver, as cuDriverGetVersion has it; 12.4 after a start.
void set_version(int32_t version);

/// From now on PTX that sets conditions is refused, until a start.
void refuse_control();

/// The table to give to the runtime.
Driver table();
/// Puts it there, as if the library had been opened.
void install();

/// The call of that number from now on, counted from 1, fails with `code`; what frees, does so nevertheless.
/// 0: none.
void fail_at(int64_t call, Code code = 719);
/// The next call of that function fails.
void fail_in(const std::string& function, Code code);
int64_t calls_since();  ///< since then
/// The function that failed; empty if none has.
std::string failed_function();
/// How often a function was called since `fail_at` or `reset`.
int64_t count(const std::string& function);

/// What is alive: allocations, modules, graphs, retained contexts; contexts on the thread's stack; work in
/// streams.
struct Live {
  int64_t allocations, modules, graphs, executions, contexts, stack, pending;
  bool operator==(const Live&) const = default;
};
Live live();

/// Broken rules, in words: kernels that read freed memory, contexts that are not current …
std::vector<std::string> complaints();
void complain(std::string text);

/// Memory of a device, for kernels and tests; null, and a complaint, where it is none.
void* follow(Address address, size_t bytes);
template <typename T>
T* at(Address address, int64_t count = 1) {
  return static_cast<T*>(follow(address, sizeof(T) * static_cast<size_t>(count)));
}
template <typename T>
T* at(const T* address, int64_t count = 1) {
  return at<T>(reinterpret_cast<Address>(address), count);
}

/// As an application has them.
Address allocate(int32_t device, size_t bytes);
void release(Address memory);
Stream make_stream(int32_t device);
void wait(Stream stream);
void lock_pages(const void* memory, size_t bytes);
void begin_capture(Stream stream);
/// What was captured; false where the capture was broken.
bool end_capture(Stream stream, std::function<void()>& replay);

}  // namespace stand_in
